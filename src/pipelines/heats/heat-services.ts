/** What batches of heat sheets stand on. Opened once a process. */
import type { Mailer } from "../../delivery/send-mail.ts";
import type { DocumentReader } from "../../formats/document-reader.ts";
import type { Database } from "../../jobs/index.ts";
import type { ChatModel } from "../../providers/models/chat-model.ts";
import type { OcrEngine } from "../../providers/ocr/ocr-engine.ts";
import type { BlobStore } from "../../storage/blob-store.ts";
import type { SheetThreads } from "./sheet-threads.ts";

export interface HeatServices {
  db: Database;
  blobs: BlobStore;
  sheets: SheetThreads;
  /** Draws the pages of a scanned sheet, for `ocr` to read. */
  reader: DocumentReader;
  ocr: OcrEngine;
  /** Reads sheets whose layout is not known, where one is configured. */
  model: ChatModel | undefined;
  /** How the model gets to see a sheet: as its words, or as the file, which not every service takes. */
  modelInput: "text" | "file";
  /** Sends messages when a batch has ended, where one is configured. */
  mailer: Mailer | undefined;
  /** Is told when a batch has ended, where one is configured. */
  webhook: { url: string; secret: string } | undefined;
  /** Where people reach this server: what links in messages begin with. */
  publicUrl: string;
  limits: HeatLimits;
}

interface HeatLimits {
  maxPdfsPerBatch: number;
  /** Sheets of one batch that are read at the same time. */
  perBatch: number;
  maxPdfBytes: number;
  fetchTimeoutMs: number;
  /** Hosts, host:port and address ranges that may be fetched from although they are not public. */
  fetchAllow: readonly string[];
  /** How long a batch, its files and its results are kept. */
  keepMs: number;
}
