/** OCR by Azure Document Intelligence's read model, page by page. */
import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { type AzureAnalysisOptions, openAzureAnalysis } from "../extraction/azure/run-analysis.ts";
import { encodePage } from "./encode-page.ts";
import type { OcrEngine } from "./ocr-engine.ts";

/** Azure refuses larger images. */
const maxSide = 10_000;

export function openAzureOcr(options: AzureAnalysisOptions): OcrEngine {
  const analysis = openAzureAnalysis({ ...options, model: "prebuilt-read" });
  return {
    name: "azure prebuilt-read",
    source: "azure",
    async recognise(image, call) {
      const { png, dpi, width, height, turned, blank } = await encodePage(image, maxSide);
      if (blank) return { words: [], width, height, turned, blank };
      const file = {
        // Of what is seen, not of the PNG: another version of the encoder must not make it another page.
        sha256: createHash("sha256")
          .update(`${image.width}x${image.height} ${image.format} `)
          .update(image.data)
          .digest("hex"),
        contentType: "image/png",
        size: png.length,
        open: async () => Readable.from([png]),
      };
      const [page] = await analysis.analyse({ file, pages: { from: 1, to: 1 }, dpi }, call);
      return { words: page?.text.words ?? [], width, height, turned, blank };
    },
    close: async () => {},
  };
}
