/** Puts the document reader together: its threads, and what each may use up. */

import { TerminalError } from "../errors.ts";
import { openThreadPool, type PoolWatch, threadModule } from "../threads/thread-pool.ts";
import type { DocumentReader, FileToRead } from "./document-reader.ts";
import { isPaged } from "./format.ts";
import type { ReaderSettings, ReaderTasks } from "./reader-thread.ts";

export interface DocumentReaderOptions {
  threads: number;
  /** Of each thread. */
  memoryMb: number;
  /** For opening a file, reading a part, and drawing a page. */
  partDeadlineMs: number;
  maxPages: number;
  /** Of an image file: 100 million when left out. */
  maxImagePixels?: number;
  /** Of a drawn page, beyond which the resolution is lowered: 24 million when left out. */
  maxRenderPixels?: number;
  watch?: PoolWatch;
}

/** Parts read by one thread. What reading that many has taken should not lie idle while the document's vectors are made. */
const longDocument = 256;

export function openDocumentReader(options: DocumentReaderOptions): DocumentReader {
  const { threads, memoryMb, partDeadlineMs: deadlineMs, maxPages } = options;
  const { maxImagePixels = 100e6, maxRenderPixels = 24e6 } = options;
  const pool = openThreadPool<ReaderTasks>({
    module: threadModule(import.meta.url, "reader-thread"),
    size: threads,
    background: true,
    memoryMb,
    mostInARow: longDocument,
    settings: {
      maxPages,
      maxImagePixels,
      maxImageBytes: memoryMb * 2 ** 20,
      maxRenderPixels,
      deadlineMs,
    } satisfies ReaderSettings,
    watch: options.watch,
  });
  const runOptions = (file: FileToRead, signal: AbortSignal) => ({ deadlineMs, signal, affinity: file.path });

  return {
    open: async (file, signal) => await pool.run("open", file, runOptions(file, signal)),
    readPart: async (file, part, signal) => await pool.run("readPart", { file, part }, runOptions(file, signal)),
    readPacked: async (file, part, signal) => await pool.run("readPacked", { file, part }, runOptions(file, signal)),
    async renderGrey(file, page, dpi, signal) {
      requirePages(file);
      return await pool.run("renderGrey", { file, page, dpi }, runOptions(file, signal));
    },
    async renderPng(file, page, dpi, signal) {
      requirePages(file);
      return await pool.run("renderPng", { file, page, dpi }, runOptions(file, signal));
    },
    arrange: async (text, signal) => await pool.run("arrange", text, { deadlineMs, signal }),
    close: async () => await pool.close(),
  };
}

function requirePages({ format }: FileToRead): void {
  if (!isPaged(format)) throw new TerminalError("NO_PAGES", `A ${format} file has no pages to draw.`);
}
