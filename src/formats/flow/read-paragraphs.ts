/**
 * The paragraphs of a plain text as lists of lines, one after another: a list of all lines of a large file would take many
 * times the file's size. What goes on for thousands of lines without a blank one is told in several paragraphs.
 */
const mostLines = 2_000;

export function* readParagraphs(text: string): Generator<string[]> {
  let lines: string[] = [];
  for (let at = 0; at < text.length; ) {
    const newline = text.indexOf("\n", at);
    const end = newline < 0 ? text.length : newline;
    const line = text.slice(at, end).trimEnd();
    at = end + 1;
    if (line !== "") lines.push(line);
    if (lines.length === mostLines || (line === "" && lines.length > 0)) {
      yield lines;
      lines = [];
    }
  }
  if (lines.length > 0) yield lines;
}
