/**
 * Markdown as plain text, for excerpts: nothing is rendered, what only marks things up is left out. Its time grows with the
 * length of the text and nothing else, because the text may be anybody's.
 */

const escaped = /\\([!-/:-@[-`{-~])/g;

export function toPlainText(markdown: string): string {
  return markdown
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => !isTableRule(line) && !/^(?:`{3}|~{3})/.test(line))
    .map(readLine)
    .filter((line, index, lines) => line !== "" || index === 0 || index === lines.length - 1)
    .join("\n");
}

/** The line below a table's head. */
function isTableRule(line: string): boolean {
  return line.includes("---") && /^[ \t:|-]+$/.test(line);
}

function readLine(line: string): string {
  const text = line
    .replace(/^(?:#{1,6}|>|[-*+])[ \t]+/, "")
    .replace(/!?\[([^\]]{0,500})\]\([^)]{0,2000}\)/g, "$1")
    .replace(/(?<!\\)[*`]/g, "");
  // The bars between a table's cells.
  const cells = text.split(/(?<!\\)\|/).map((cell) => cell.trim());
  return cells
    .filter((cell) => cell !== "")
    .join(" · ")
    .replace(escaped, "$1")
    .replace(/[ \t]+/g, " ");
}
