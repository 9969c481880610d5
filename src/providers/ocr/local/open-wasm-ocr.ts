/** Tesseract as WebAssembly, in threads: what every machine has. */
import { openThreadPool, type PoolWatch, threadModule } from "../../../threads/thread-pool.ts";
import type { OcrEngine } from "../ocr-engine.ts";
import { explainFailure } from "./explain-failure.ts";
import type { LanguageData } from "./find-languages.ts";
import type { OcrTasks, OcrThreadSettings } from "./ocr-thread.ts";
import { pageTransfer } from "./page-transfer.ts";

export interface WasmOcrOptions {
  languages: readonly LanguageData[];
  threads: number;
  memoryMb: number;
  watch?: PoolWatch;
}

export const defaultDeadlineMs = 120_000;

export function openWasmOcr({ languages, threads, memoryMb, watch }: WasmOcrOptions): OcrEngine {
  const settings: OcrThreadSettings = { languageFiles: languages.map(({ file }) => file) };
  const module = threadModule(import.meta.url, "ocr-thread");
  const pool = openThreadPool<OcrTasks>({ module, size: threads, memoryMb, background: true, settings, watch });
  return {
    name: "tesseract-wasm",
    source: "ocr",
    async recognise(page, { signal, deadlineMs = defaultDeadlineMs }) {
      try {
        return await pool.run("recognise", page, { deadlineMs, signal, transfer: pageTransfer(page) });
      } catch (error) {
        throw explainFailure(error, signal);
      }
    },
    close: () => pool.close(),
  };
}
