/** The user's own OCR as an engine: it sees an upright PNG, and what it reads is brought from pixels to points. */
import { createHash } from "node:crypto";
import { z } from "zod";
import { encodePage } from "../ocr/encode-page.ts";
import type { OcrEngine } from "../ocr/ocr-engine.ts";
import { askOwn, usageShape } from "./ask-own.ts";
import { describeOwn, type OcrProvider } from "./own-providers.ts";
import { toWords, wordsShape } from "./page-words.ts";

/** What is drawn at 300 dpi of paper as large as a door; larger pictures are scaled down. */
const maxSide = 10_000;
const answerShape = z.object({ words: wordsShape, usage: usageShape });

export function openOwnOcr(own: OcrProvider): OcrEngine {
  return {
    name: describeOwn(own),
    source: "ocr",
    async recognise(image, call) {
      const { png, dpi, width, height, turned, blank } = await encodePage(image, maxSide);
      if (blank) return { words: [], width, height, turned, blank };
      const toPixels = (points: number) => Math.round((points * dpi) / 72);
      // Of what is seen, not of the PNG: another version of the encoder must not make it another page.
      const seen = createHash("sha256")
        .update(`${image.width}x${image.height} ${image.format} `)
        .update(image.data)
        .digest("hex");
      const words = await askOwn(
        own,
        { seen, dpi },
        {
          use: "OCR",
          ask: (context) => own.read({ png, width: toPixels(width), height: toPixels(height), dpi }, context),
          shape: answerShape,
          keep: (answer) => toWords(answer.words, 72 / dpi),
        },
        call,
      );
      return { words, width, height, turned, blank };
    },
    close: async () => {},
  };
}
