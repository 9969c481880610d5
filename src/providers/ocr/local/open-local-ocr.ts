/**
 * OCR on this machine, without any service: by the native `tesseract` where a recent one is installed, which is somewhat
 * faster, otherwise by the Tesseract that comes with the package as WebAssembly. Both get pages prepared in the same way.
 */
import type { PoolWatch } from "../../../threads/thread-pool.ts";
import type { OcrEngine } from "../ocr-engine.ts";
import { findLanguages } from "./find-languages.ts";
import { findTesseract } from "./find-tesseract.ts";
import { openNativeOcr } from "./open-native-ocr.ts";
import { openWasmOcr } from "./open-wasm-ocr.ts";

export interface LocalOcrOptions {
  /** How many pages are read at the same time, each on a core of its own. */
  threads: number;
  /** Of each thread. */
  memoryMb?: number;
  /** The likeliest first: names as Tesseract has them (`eng`, `deu`), or paths of `.traineddata` files, also gzipped. */
  languages?: readonly string[];
  /** The native Tesseract to use; `false` for none. */
  nativeCommand?: string | false;
  watch?: PoolWatch;
}

/** Of a page of 16 million pixels, the largest that is handed to Tesseract, and its copies. */
const defaultMemoryMb = 1024;

export async function openLocalOcr({
  threads,
  memoryMb = defaultMemoryMb,
  languages = ["eng"],
  nativeCommand = "tesseract",
  watch,
}: LocalOcrOptions): Promise<OcrEngine> {
  const tesseract = nativeCommand === false ? undefined : await findTesseract(nativeCommand);
  const found = await findLanguages(languages, tesseract);
  return tesseract
    ? openNativeOcr({ tesseract, languages: found, threads, memoryMb, watch })
    : openWasmOcr({ languages: found, threads, memoryMb, watch });
}
