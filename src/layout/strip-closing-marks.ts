/**
 * The words of a markdown heading without the marks that may close it ("# Title #"). Counted from the end: a pattern for
 * it takes for ever on a long line that almost fits.
 */
export function stripClosingMarks(heading: string): string {
  const text = heading.trim();
  let end = text.length;
  while (end > 0 && text[end - 1] === "#") end--;
  const isClosed = end < text.length && (end === 0 || /\s/.test(text.charAt(end - 1)));
  return isClosed ? text.slice(0, end).trimEnd() : text;
}
