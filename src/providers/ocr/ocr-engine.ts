/** Reads the words off the image of a page. */
import type { Word } from "../../layout/page.ts";
import type { CallContext } from "../call-context.ts";

export interface PageImage {
  /**
   * An encoded image (PNG, JPEG …), or grey values, one byte a pixel. Grey values are handed over: they may be moved to
   * a thread, and the caller's array is empty then.
   */
  data: Uint8Array<ArrayBuffer>;
  format: "encoded" | "grey";
  width: number;
  height: number;
  /** Pixels per inch: words come back in points. */
  dpi: number;
}

export interface RecognisedPage {
  /** In points, in the page as it stands upright. */
  words: Word[];
  width: number;
  height: number;
  /** By how many degrees (clockwise) the image was turned to stand upright. */
  turned: 0 | 90 | 180 | 270;
  /** By how many degrees the lines sink to the right on the upright page; boxes of words on one line lie that much apart. */
  skew?: number;
  /** No ink worth reading: the engine was not asked. */
  blank: boolean;
}

export interface OcrEngine {
  /** As people know it: `tesseract-wasm`, `tesseract 5.3.0`, `azure`, the model's name. */
  readonly name: string;
  /** What the pages it reads are marked with. */
  readonly source: "ocr" | "model" | "azure";
  recognise(image: PageImage, call: CallContext & { deadlineMs?: number }): Promise<RecognisedPage>;
  close(): Promise<void>;
}
