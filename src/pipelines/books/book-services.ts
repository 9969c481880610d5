/** What books stand on. Opened once a process. */
import type { DocumentReader } from "../../formats/document-reader.ts";
import type { Database } from "../../jobs/index.ts";
import type { Embedder } from "../../providers/embeddings/embedder.ts";
import type { ChatModel } from "../../providers/models/chat-model.ts";
import type { OcrEngine } from "../../providers/ocr/ocr-engine.ts";
import type { BlobStore } from "../../storage/blob-store.ts";

export interface BookServices {
  db: Database;
  blobs: BlobStore;
  reader: DocumentReader;
  ocr: OcrEngine;
  /** Decides and writes, where one is configured; rules do so elsewhere. */
  model: ChatModel | undefined;
  embedder: Embedder;
  limits: BookLimits;
}

interface BookLimits {
  /** Jobs on books that run at once, over all processes. */
  maxActiveJobs: number;
  maxFilesPerUpload: number;
  maxPages: number;
  maxImageBytes: number;
  /** Pages of one book that are read at the same time. */
  pagesAtOnce: number;
}
