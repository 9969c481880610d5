/**
 * Reads a snippet of the server, which is escaped HTML with <mark> around what was found, into pieces of plain text.
 * Whatever else looks like HTML in it stays text.
 */
export interface SnippetPiece {
  text: string;
  found: boolean;
}

const entities: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" };

export function parseSnippet(snippet: string): SnippetPiece[] {
  const pieces: SnippetPiece[] = [];
  let found = false;
  for (const part of snippet.split(/(<\/?mark>)/)) {
    if (part === "<mark>") found = true;
    else if (part === "</mark>") found = false;
    else if (part !== "") pieces.push({ text: decode(part), found });
  }
  return pieces;
}

function decode(text: string): string {
  return text.replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => entities[name] as string);
}
