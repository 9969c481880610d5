/** A snippet that can be shown as HTML: everything in it is escaped, and what was found is marked. */

const escapes: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/** U+E000 and U+E001 stand around what was found. */
export function markWords(snippet: string): string {
  return snippet
    .replace(/[&<>"']/g, (character) => escapes[character] as string)
    .replaceAll("\uE000", "<mark>")
    .replaceAll("\uE001", "</mark>");
}
