/** What the document pipelines stand on. Opened once a process; the threads and models in it start when first used. */
import type { DocumentReader } from "../../formats/document-reader.ts";
import type { Database } from "../../jobs/index.ts";
import type { Embedder } from "../../providers/embeddings/embedder.ts";
import type { ExtractionService } from "../../providers/extraction/extraction-service.ts";
import type { ChatModel } from "../../providers/models/chat-model.ts";
import type { OcrEngine } from "../../providers/ocr/ocr-engine.ts";
import type { BlobStore } from "../../storage/blob-store.ts";
import type { VectorStore } from "../../vectors/vector-store.ts";
import type { TextThreads } from "./text-threads.ts";

export interface DocumentServices {
  db: Database;
  blobs: BlobStore;
  reader: DocumentReader;
  ocr: OcrEngine;
  /** Reads whole documents, where one is configured. */
  extraction: ExtractionService | undefined;
  /** Who reads a document that does not say. */
  defaultExtraction: "local" | "azure";
  /** Finds thematic bridges, where one is configured. */
  model: ChatModel | undefined;
  embedder: Embedder;
  vectors: VectorStore;
  text: TextThreads;
  limits: DocumentLimits;
}

interface DocumentLimits {
  maxFileBytes: number;
  maxFilesPerRequest: number;
  /** Pages of one document that are read at the same time. */
  pagesAtOnce: number;
  fetchTimeoutMs: number;
  /** Hosts, host:port and address ranges that may be fetched from although they are not public. */
  fetchAllow: readonly string[];
  /** Calls to the model for thematic bridges, for one document. */
  bridgeCalls: number;
}
