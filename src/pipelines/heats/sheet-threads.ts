/** Heat sheets are read in threads: a file nobody vouches for is looked into, and a long one keeps a core busy. */
import type { PageText } from "../../layout/page.ts";
import { openThreadPool, type PoolWatch, threadModule } from "../../threads/thread-pool.ts";
import type { SheetThreadSettings, sheetTasks } from "./sheet-thread.ts";

/** What a file was found to be. Sheet and plan are JSON already, as they are stored: parsing them is for who needs them. */
export interface ReadSheet {
  sheet: string;
  plan: string;
  /** All words, a line for each row and a form feed between pages: for layouts that are not known. */
  content: string;
}

export const pageBreak = "\f";

/** A page that shows more than its text says: it must be drawn and read by OCR first. */
export interface ScannedPage {
  page: number;
  imageDpi?: number;
}

export interface SheetFile {
  path: string;
  /** What OCR has read, for the pages that needed it. */
  recognised?: readonly PageText[];
}

export type SheetReading = { kind: "sheet"; sheet: ReadSheet } | { kind: "scan"; pages: ScannedPage[] };

export interface SheetThreads {
  /** Throws as the document reader does: ENCRYPTED_PDF, CORRUPT_PDF, TIME_LIMIT and so on. */
  read(file: SheetFile, signal: AbortSignal): Promise<SheetReading>;
  close(): Promise<void>;
}

export interface SheetThreadsOptions extends SheetThreadSettings {
  threads: number;
  memoryMb: number;
  /** For the whole file. */
  deadlineMs: number;
  watch?: PoolWatch;
}

export function openSheetThreads(options: SheetThreadsOptions): SheetThreads {
  const { threads: size, memoryMb, deadlineMs, maxPages, watch } = options;
  const module = threadModule(import.meta.url, "sheet-thread");
  const settings: SheetThreadSettings = { maxPages };
  const pool = openThreadPool<typeof sheetTasks>({ module, size, memoryMb, background: true, settings, watch });
  return {
    read: (file, signal) => pool.run("read", file, { deadlineMs, signal }),
    close: () => pool.close(),
  };
}
