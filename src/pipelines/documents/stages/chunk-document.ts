/**
 * Fourth stage: the markdown in passages. Its checkpoint is the swap: the new passages come, those that are no longer in
 * the text go, and from then on this run's pages, fields and tables are the document's. One transaction, or nothing.
 */
import type { StageContext } from "../../../jobs/index.ts";
import { derivedId } from "../../../jobs/index.ts";
import type { DocumentInput } from "../document-input.ts";
import type { DocumentServices } from "../document-services.ts";
import { swapGeneration } from "../queries/swap-generation.ts";
import type { Extracted } from "./extract-pages.ts";
import { loadMarkdown, type SavedMarkdown } from "./save-markdown.ts";

export interface Chunked {
  chunks: number;
}

export function chunkDocument({ blobs, text }: Pick<DocumentServices, "blobs" | "text">) {
  return async ({
    input: { documentId, generation },
    outputs: { extract, save_markdown: saved },
    signal,
    commit,
  }: StageContext<DocumentInput, { extract: Extracted; save_markdown: SavedMarkdown }>) => {
    const document = await loadMarkdown(blobs, saved.key);
    const found = await text.chunk(document, signal);
    const chunks = found.map((chunk) => ({ ...chunk, id: derivedId(documentId, chunk.index, chunk.contentHash) }));
    return commit(async (tx): Promise<Chunked> => {
      await swapGeneration(tx, { documentId, generation, facts: extract, saved, headings: document.headings, chunks });
      return { chunks: chunks.length };
    });
  };
}
