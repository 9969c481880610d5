/** What is done to the text of whole documents is done in threads: a long book must not hold up everything else. */
import type { OutlineEntry } from "../../formats/document-reader.ts";
import type { Chunk } from "../../layout/chunk.ts";
import type { MarkdownDocument } from "../../layout/markdown-document.ts";
import { openThreadPool, type PoolWatch, threadModule } from "../../threads/thread-pool.ts";
import type { Contradiction, TextPair } from "./connections/find-contradiction.ts";
import type { textTasks } from "./text-thread.ts";

/** Pages or sections as they are stored, in order. */
export type StoredParts =
  /** The JSON text of a PageBlocks each. */
  { kind: "pages"; pages: readonly string[] } | { kind: "sections"; sections: readonly string[] };

export interface ComposeRequest {
  parts: StoredParts;
  outline: readonly OutlineEntry[];
}

export interface ComposedDocument extends MarkdownDocument {
  sha256: string;
  wordCount: number;
}

export interface HashedChunk extends Chunk {
  contentHash: string;
}

export interface OpposeRequest {
  /** Passages by id. */
  texts: ReadonlyMap<string, string>;
  /** Which of them are held against each other. */
  pairs: readonly TextPair[];
}

export interface TextThreads {
  compose(request: ComposeRequest, signal: AbortSignal): Promise<ComposedDocument>;
  chunk(document: MarkdownDocument, signal: AbortSignal): Promise<HashedChunk[]>;
  /** For each pair the contradiction between the two, if there is one. */
  oppose(request: OpposeRequest, signal: AbortSignal): Promise<(Contradiction | undefined)[]>;
  close(): Promise<void>;
}

const deadlineMs = 120_000;
const memoryMb = 1_024;

export function openTextThreads({ threads, watch }: { threads: number; watch?: PoolWatch }): TextThreads {
  const module = threadModule(import.meta.url, "text-thread");
  const pool = openThreadPool<typeof textTasks>({ module, size: threads, memoryMb, background: true, watch });
  return {
    compose: (request, signal) => pool.run("compose", request, { deadlineMs, signal }),
    chunk: (document, signal) => pool.run("chunk", document, { deadlineMs, signal }),
    oppose: (request, signal) => pool.run("oppose", request, { deadlineMs, signal }),
    close: () => pool.close(),
  };
}
