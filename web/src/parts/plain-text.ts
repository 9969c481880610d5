/** Markdown as plain text, for excerpts: nothing is rendered, what only marks things up is left out. */

const escaped = /\\([!-/:-@[-`{-~])/g;

export function toPlainText(markdown: string): string {
  return (
    markdown
      // The line below a table's head, and the bars between its cells.
      .replace(/^[ \t]*\|?[ \t:|-]*-{3,}[ \t:|-]*$/gm, "")
      .replace(/(?<!\\)\|/g, " · ")
      .replace(/^[ \t]*(?:#{1,6}|>|[-*+](?=[ \t]))[ \t]+/gm, "")
      .replace(/^[ \t]*(?:`{3,}|~{3,}).*$/gm, "")
      .replace(/!?\[([^\]\n]*)\]\([^)\n]*\)/g, "$1")
      .replace(/(?<!\\)(?:\*+|`+)/g, "")
      .replace(escaped, "$1")
      .replace(/(?:[ \t]*·[ \t]*){2,}/g, " · ")
      .replace(/^[ \t]*·[ \t]*|[ \t]*·[ \t]*$/gm, "")
      .replace(/[ \t]{2,}/g, " ")
      .replace(/\s*\n\s*/g, "\n")
  );
}
