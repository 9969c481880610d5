/** One scan: turned into an upright PNG for people, and into text. Doing it again gives the same files again. */
import { TerminalError } from "../../errors.ts";
import type { FileToRead } from "../../formats/document-reader.ts";
import type { Format } from "../../formats/format.ts";
import { writePlainText } from "../../layout/write-plain-text.ts";
import type { CallContext } from "../../providers/call-context.ts";
import { readDrawnPage } from "../../providers/ocr/read-drawn-page.ts";
import { putText } from "../../storage/blob-text.ts";
import { imageKey, textKey } from "./blob-keys.ts";
import type { BookServices } from "./book-services.ts";

export interface PageScan {
  bookId: string;
  fileNum: number;
  rawKey: string;
  rawFormat: Format;
  rawPart: number;
}

export interface ScannedText {
  imageKey: string;
  textKey: string;
  text: string;
}

/** Finer than any scan, so that it is kept as it is. */
const asScanned = 2_400;

export async function scanPage(
  { blobs, reader, ocr }: Pick<BookServices, "blobs" | "reader" | "ocr">,
  { bookId, fileNum, rawKey, rawFormat, rawPart }: PageScan,
  call: CallContext,
): Promise<ScannedText> {
  const { signal } = call;
  return blobs.withFile(
    rawKey,
    async (path) => {
      const file: FileToRead = { path, format: rawFormat };
      const png = await reader.renderPng(file, rawPart, asScanned, signal);
      const image = imageKey(bookId, fileNum);
      await putText(blobs, image, png, "image/png", signal);
      const drawn = await readDrawnPage({ reader, ocr }, file, { page: rawPart }, call);
      const { width, height, straight: words } = drawn;
      const page = { page: rawPart, width, height, source: ocr.source, words, rules: [] };
      const { blocks } = await reader.arrange(page, signal);
      const text = writePlainText(blocks).trim();
      if (text === "") throw new TerminalError("EMPTY_TEXT", "OCR text was empty");
      const key = textKey(bookId, fileNum);
      await putText(blobs, key, `${text}\n`, "text/plain; charset=utf-8", signal);
      return { imageKey: image, textKey: key, text };
    },
    signal,
  );
}
