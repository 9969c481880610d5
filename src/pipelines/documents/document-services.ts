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
  /** Who reads whole documents, where they are configured: Azure, or a provider of the user's own. */
  extraction: { azure?: ExtractionService; own?: ExtractionService };
  /** Who reads a document that does not say. */
  defaultExtraction: "local" | "azure" | "own";
  /** Finds thematic bridges, where one is configured. */
  model: ChatModel | undefined;
  embedder: Embedder;
  vectors: VectorStore;
  text: TextThreads;
  limits: DocumentLimits;
}

interface DocumentLimits {
  maxFileBytes: number;
  /** Of what is kept of a document's text, about. */
  maxTextBytes: number;
  maxFilesPerRequest: number;
  /** Pages of one document that are read at the same time. */
  pagesAtOnce: number;
  fetchTimeoutMs: number;
  /** Hosts, host:port and address ranges that may be fetched from although they are not public. */
  fetchAllow: readonly string[];
  /** Calls to the model for thematic bridges, for one document. */
  bridgeCalls: number;
}
