/** The textbook scans of the corpus through a book's own OCR, and the science book that some of them are pages of. */
import { createReadStream } from "node:fs";
import { basename, join } from "node:path";
import { newId } from "../../../src/jobs/index.ts";
import { rawKey } from "../../../src/pipelines/books/blob-keys.ts";
import type { BookServices } from "../../../src/pipelines/books/book-services.ts";
import { scanPage } from "../../../src/pipelines/books/scan-page.ts";
import type { CallContext } from "../../../src/providers/call-context.ts";
import { loadScans } from "../ocr-scores/load-scans.ts";
import { scoreText, type TextScore } from "../ocr-scores/score-text.ts";
import type { BookSource } from "./book-sources.ts";

export interface ReadScan {
  name: string;
  text: string;
  score: TextScore;
}

/** Single pages of textbooks; the number of the chapter is in the names of some. */
const textbookPage = /^textbook_.*\.jpg$/;
const sciencePage = /^textbook_science4_(\d+)_p\d+\.jpg$/;

export async function readTextbookScans(
  services: Pick<BookServices, "blobs" | "reader" | "ocr">,
  corpus: string,
): Promise<ReadScan[]> {
  const bookId = newId();
  const call: CallContext = {
    signal: new AbortController().signal,
    remember: () => Promise.reject(new Error("local OCR makes no paid calls")),
  };
  const scans = (await loadScans(join(corpus, "scans"))).filter(({ name }) => textbookPage.test(name));
  const read: ReadScan[] = [];
  for (const [index, { name, path, truth }] of scans.entries()) {
    const fileNum = index + 1;
    const key = rawKey(bookId, fileNum, "jpeg");
    await services.blobs.put(key, createReadStream(path));
    const scan = { bookId, fileNum, rawKey: key, rawFormat: "jpeg", rawPart: 1 } as const;
    const { text } = await scanPage(services, scan, call);
    read.push({ name: basename(name), text, score: scoreText(truth.join("\n"), text) });
  }
  return read;
}

/** Its pages with gaps between them: a chapter begins where the number in the name changes. */
export function bindScienceBook(scans: readonly ReadScan[]): BookSource {
  const pages = scans
    .flatMap(({ name, text }) => {
      const chapter = sciencePage.exec(name)?.[1];
      return chapter === undefined ? [] : [{ name, text, chapter }];
    })
    .sort((one, other) => (one.name < other.name ? -1 : 1));
  const chapters = pages.flatMap(({ chapter }, index) => (chapter === pages[index - 1]?.chapter ? [] : [index + 1]));
  return {
    name: "scans/textbook_science4_*",
    pages: pages.map(({ text }) => text),
    chapters: new Set(chapters),
    sections: undefined,
  };
}
