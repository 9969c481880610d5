/** A page without usable text is drawn and read by OCR. What its text layer had stays if OCR finds nothing. */
import type { DocumentReader, FileToRead, ReadPage } from "../../../formats/document-reader.ts";
import type { ItemContext } from "../../../jobs/index.ts";
import type { ArrangedPage } from "../../../layout/packed-page.ts";
import type { OcrEngine } from "../../../providers/ocr/ocr-engine.ts";
import { readDrawnPage } from "../../../providers/ocr/read-drawn-page.ts";

interface Recognisers {
  reader: DocumentReader;
  ocr: OcrEngine;
}

export async function recognisePage(
  { reader, ocr }: Recognisers,
  file: FileToRead,
  read: ReadPage,
  item: ItemContext,
): Promise<ArrangedPage> {
  const { page } = read.text;
  const drawn = await readDrawnPage({ reader, ocr }, file, { page, imageDpi: read.imageDpi }, item);
  const { width, height, words, straight } = drawn;
  if (words.length === 0) return keepTextLayer(reader, read, item.signal);
  const text = { page, width, height, source: ocr.source, words, rules: read.text.rules };
  const { blocks, fields } = await reader.arrange({ ...text, words: straight }, item.signal);
  // Values of form fields come from the file itself and are better than what was read off the picture.
  return { text, blocks, fields: [...read.fields.filter(({ source }) => source === "form"), ...fields] };
}

/** A text layer that was not thought usable has not been arranged. */
export async function keepTextLayer(
  reader: DocumentReader,
  read: ReadPage,
  signal: AbortSignal,
): Promise<ArrangedPage> {
  if (!read.needsOcr || read.text.words.length === 0) return read;
  const { blocks, fields } = await reader.arrange(read.text, signal);
  return { text: read.text, blocks, fields: [...read.fields, ...fields] };
}
