/** A process that reads scanned pages and does nothing else, so that what it and its children spend is what OCR costs. */
import { availableParallelism } from "node:os";
import { openDocumentReader } from "../../src/formats/open-document-reader.ts";
import { writePlainText } from "../../src/layout/write-plain-text.ts";
import { openLocalOcr } from "../../src/providers/ocr/local/open-local-ocr.ts";
import type { OcrEngine } from "../../src/providers/ocr/ocr-engine.ts";
import { readDrawnPage } from "../../src/providers/ocr/read-drawn-page.ts";
import { offer } from "../harness/child.ts";

const threads = availableParallelism();
const reader = openDocumentReader({ threads, memoryMb: 768, partDeadlineMs: 60_000, maxPages: 1_000 });
const context = {
  signal: new AbortController().signal,
  remember: () => Promise.reject(new Error("local OCR costs nothing")),
};
let ocr: OcrEngine | undefined;

const api = {
  /** Answers what reads: the native program where there is one, unless that is not wanted. */
  async open({ native }: { native: boolean }): Promise<string> {
    ocr = await openLocalOcr({ threads, ...(native ? {} : { nativeCommand: false }) });
    return ocr.name;
  },

  /** What the pages of a PDF say, as the stage that reads documents does it, up to blocks in reading order. */
  async recognise(path: string): Promise<string[]> {
    const file = { path, format: "pdf" } as const;
    const { parts } = await reader.open(file, context.signal);
    const texts: string[] = [];
    let next = 1;
    const readOn = async () => {
      for (let page = next++; page <= parts; page = next++) texts[page - 1] = await readPage(file, page);
    };
    // One more than there are threads, like the stage: each finds its next page waiting.
    await Promise.all(Array.from({ length: threads + 1 }, readOn));
    return texts;
  },
};

async function readPage(file: { path: string; format: "pdf" }, page: number): Promise<string> {
  if (ocr === undefined) throw new Error("open it first");
  const read = await reader.readPart(file, page, context.signal);
  if (read.kind !== "page" || !read.needsOcr) throw new Error(`page ${page} is not a scan`);
  const { width, height, straight } = await readDrawnPage({ reader, ocr }, file, { ...read, page }, context);
  const text = { page, width, height, source: "ocr" as const, words: straight, rules: read.text.rules };
  const { blocks } = await reader.arrange(text, context.signal);
  // Marks of lists as the page shows them: the truth has none, and scores leave bullets out.
  return writePlainText(blocks).replace(/^(\s*)- /gm, "$1• ");
}

export type OcrProcessApi = typeof api;

offer(api);
