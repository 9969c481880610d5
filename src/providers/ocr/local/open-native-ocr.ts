/**
 * The native Tesseract, in processes of its own. Pages are prepared in threads and handed over as files; no more
 * processes run than there are threads, and one that exceeds its page's deadline is killed.
 */
import { RetryableError } from "../../../errors.ts";
import { openThreadPool, type PoolWatch, threadModule } from "../../../threads/thread-pool.ts";
import type { OcrEngine, PageImage, RecognisedPage } from "../ocr-engine.ts";
import { explainFailure } from "./explain-failure.ts";
import type { LanguageData } from "./find-languages.ts";
import type { NativeTesseract } from "./find-tesseract.ts";
import type { OcrTasks, OcrThreadSettings } from "./ocr-thread.ts";
import { openShelf } from "./open-shelf.ts";
import { openSlots } from "./open-slots.ts";
import { openTesseracts } from "./open-tesseracts.ts";
import { defaultDeadlineMs } from "./open-wasm-ocr.ts";
import { pageTransfer } from "./page-transfer.ts";
import { readPrepared } from "./read-prepared.ts";

export interface NativeOcrOptions {
  tesseract: NativeTesseract;
  languages: readonly LanguageData[];
  threads: number;
  memoryMb: number;
  watch?: PoolWatch;
}

export async function openNativeOcr(options: NativeOcrOptions): Promise<OcrEngine> {
  const { tesseract, languages, threads, memoryMb, watch } = options;
  const shelf = await openShelf(languages);
  const tesseracts = await openTesseracts({ command: tesseract.command, arguments: shelf.arguments });
  const settings: OcrThreadSettings = { languageFiles: [] };
  const module = threadModule(import.meta.url, "ocr-thread");
  const pool = openThreadPool<OcrTasks>({ module, size: threads, memoryMb, background: true, settings, watch });
  const slots = openSlots(threads);
  const closing = new AbortController();

  return {
    name: `tesseract ${tesseract.version}`,
    source: "ocr",
    async recognise(page, { signal, deadlineMs = defaultDeadlineMs }) {
      const either = AbortSignal.any([signal, closing.signal]);
      try {
        return await slots.run(either, () => recognise(page, either, performance.now() + deadlineMs));
      } catch (error) {
        throw explainFailure(error, either);
      }
    },
    async close() {
      closing.abort(new RetryableError("OCR_CLOSED", "The OCR engine was closed."));
      await slots.empty();
      await pool.close();
      await tesseracts.close();
      await shelf.close();
    },
  };

  async function recognise(page: PageImage, signal: AbortSignal, deadline: number): Promise<RecognisedPage> {
    const leftMs = () => Math.max(1, deadline - performance.now());
    const run = { deadlineMs: leftMs(), signal, transfer: pageTransfer(page) };
    const prepared = await pool.run("prepare", page, run);
    return readPrepared(prepared, ({ image }) => tesseracts.read(image, { signal, deadlineMs: leftMs() }));
  }
}
