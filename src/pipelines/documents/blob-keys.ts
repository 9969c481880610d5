/** Where a document's files are in storage. Everything of a document is under one prefix, so that it can go as a whole. */

export const documentsPrefix = "documents/";

export function documentPrefix(documentId: string): string {
  return `${documentsPrefix}${documentId}/`;
}

/** Each upload has a place of its own: one that is refused late takes nothing away from another. */
export function originalKey(documentId: string, uploadId: string): string {
  return `${documentPrefix(documentId)}original-${uploadId}`;
}

/** By content: writing the same text again changes nothing. */
export function markdownKey(documentId: string, sha256: string): string {
  return `${documentPrefix(documentId)}content-${sha256}.md`;
}

/** Beside the markdown: where its pages begin and its headings stand. */
export function marksKey(markdown: string): string {
  return markdown.replace(/\.md$/, ".marks.json");
}
