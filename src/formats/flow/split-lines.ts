/**
 * Cuts long markdown into sections at headings and blank lines, never inside a code fence. The sections joined by a blank
 * line are the whole text again, and where they are cut depends on the text alone.
 */
export function splitLines(markdown: string, sectionChars: number): string[] {
  if (markdown.length <= sectionChars) return [markdown];
  const sections: string[] = [];
  let start = 0;
  let fence: string | undefined;
  let lastBlank = -1;
  for (let at = 0; at < markdown.length; ) {
    const newline = markdown.indexOf("\n", at);
    const next = newline < 0 ? markdown.length : newline + 1;
    const line = markdown.slice(at, next);
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (!fence && start < lastBlank && isBorder(line, at - start, sectionChars)) cut(lastBlank);
    if (mark && (!fence || (mark[0] === fence[0] && mark.length >= fence.length))) fence = fence ? undefined : mark;
    if (!fence && !mark && line.trim() === "") lastBlank = next;
    // A file without any blank line in a very long stretch is cut at a line, or in it.
    if (next - start > sectionChars * 2) {
      if (lastBlank > start && !fence) cut(lastBlank);
      while (next - start > sectionChars * 2) cut(at > start ? at : wordBefore(markdown, start + sectionChars));
    }
    at = next;
  }
  cut(markdown.length);
  return sections.length > 0 ? sections : [""];

  function cut(end: number): void {
    const section = markdown.slice(start, end).replace(/^\n+/, "").trimEnd();
    if (section !== "") sections.push(section);
    start = end;
  }
}

/** Past half of the size a large heading begins a section, past all of it any block does. */
function isBorder(line: string, size: number, sectionChars: number): boolean {
  return line.trim() !== "" && (size > sectionChars || (size > sectionChars / 2 && /^#{1,2} /.test(line)));
}

function wordBefore(text: string, at: number): number {
  const space = text.lastIndexOf(" ", at);
  if (space > at - 1000) return space + 1;
  const low = text.charCodeAt(at);
  return low >= 0xdc00 && low <= 0xdfff ? at + 1 : at;
}
