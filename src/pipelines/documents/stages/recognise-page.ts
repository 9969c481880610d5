/** A page without usable text is drawn and read by OCR. What its text layer had stays if OCR finds nothing. */
import type { DocumentReader, FileToRead, ReadPage } from "../../../formats/document-reader.ts";
import type { ItemContext } from "../../../jobs/index.ts";
import type { OcrEngine } from "../../../providers/ocr/ocr-engine.ts";
import type { ReadPageRows } from "../queries/save-page.ts";

/** What tesseract was trained on. */
const ocrDpi = 300;

interface Recognisers {
  reader: DocumentReader;
  ocr: OcrEngine;
}

export async function recognisePage(
  { reader, ocr }: Recognisers,
  file: FileToRead,
  read: ReadPage,
  { signal, remember }: ItemContext,
): Promise<ReadPageRows> {
  const { page } = read.text;
  const drawn = await reader.renderGrey(file, page, ocrDpi, signal);
  const recognised = await ocr.recognise({ ...drawn, format: "grey" }, { signal, remember });
  if (recognised.words.length === 0) return read;
  const { width, height } = recognised;
  const text = { page, width, height, source: ocr.source, words: recognised.words, rules: read.text.rules };
  const { blocks, fields } = await reader.arrange(text, signal);
  // Values of form fields come from the file itself and are better than what was read off the picture.
  return { text, blocks, fields: [...read.fields.filter(({ source }) => source === "form"), ...fields] };
}
