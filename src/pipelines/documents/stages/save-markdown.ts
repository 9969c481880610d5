/** Third stage: the document as one markdown file in storage, under the hash of its content, with its marks beside it. */
import type { StageContext } from "../../../jobs/index.ts";
import type { MarkdownDocument } from "../../../layout/markdown-document.ts";
import type { BlobStore } from "../../../storage/blob-store.ts";
import { putText, readText } from "../../../storage/blob-text.ts";
import { markdownKey, marksKey } from "../blob-keys.ts";
import type { DocumentInput } from "../document-input.ts";
import type { DocumentServices } from "../document-services.ts";
import { readParts } from "../queries/read-parts.ts";
import type { Extracted } from "./extract-pages.ts";

export interface SavedMarkdown {
  key: string;
  sha256: string;
  wordCount: number;
}

export function saveMarkdown({ db, blobs, text }: Pick<DocumentServices, "db" | "blobs" | "text">) {
  return async ({
    input: { documentId, generation },
    outputs: { extract },
    signal,
  }: StageContext<DocumentInput, { extract: Extracted }>): Promise<SavedMarkdown> => {
    const parts = await readParts(db, documentId, generation, extract.paged);
    const { markdown, sha256, wordCount, ...marks } = await text.compose({ parts, outline: extract.outline }, signal);
    const key = markdownKey(documentId, sha256);
    await putText(blobs, key, markdown, "text/markdown", signal);
    await putText(blobs, marksKey(key), JSON.stringify(marks), "application/json", signal);
    return { key, sha256, wordCount };
  };
}

/** The markdown with its marks, as it was saved. */
export async function loadMarkdown(blobs: BlobStore, key: string): Promise<MarkdownDocument> {
  const [markdown, marks] = await Promise.all([readText(blobs, key), readText(blobs, marksKey(key))]);
  return { markdown, ...(JSON.parse(marks) as Omit<MarkdownDocument, "markdown">) };
}
