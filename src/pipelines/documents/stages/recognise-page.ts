/** A page without usable text is drawn and read by OCR. What its text layer had stays if OCR finds nothing. */
import type { DocumentReader, FileToRead, ReadPage } from "../../../formats/document-reader.ts";
import type { ItemContext } from "../../../jobs/index.ts";
import type { Word } from "../../../layout/page.ts";
import type { OcrEngine, RecognisedPage } from "../../../providers/ocr/ocr-engine.ts";
import type { ReadPageRows } from "../queries/save-page.ts";

/** What tesseract was trained on; coarser than the least, small print is lost whatever is drawn. */
const ocrDpi = { least: 150, most: 300 };

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
  const dpi = Math.min(ocrDpi.most, Math.max(ocrDpi.least, read.imageDpi ?? ocrDpi.most));
  const drawn = await reader.renderGrey(file, page, dpi, signal);
  const recognised = await ocr.recognise({ ...drawn, format: "grey" }, { signal, remember });
  const { width, height, words } = recognised;
  if (words.length === 0) return keepTextLayer(reader, read, signal);
  const text = { page, width, height, source: ocr.source, words, rules: read.text.rules };
  const { blocks, fields } = await reader.arrange({ ...text, words: straighten(recognised) }, signal);
  // Values of form fields come from the file itself and are better than what was read off the picture.
  return { text, blocks, fields: [...read.fields.filter(({ source }) => source === "form"), ...fields] };
}

/** A text layer that was not thought usable has not been arranged. */
export async function keepTextLayer(
  reader: DocumentReader,
  read: ReadPage,
  signal: AbortSignal,
): Promise<ReadPageRows> {
  if (!read.needsOcr || read.text.words.length === 0) return read;
  const { blocks, fields } = await reader.arrange(read.text, signal);
  return { text: read.text, blocks, fields: [...read.fields, ...fields] };
}

/** Words as they would lie if the page had been laid straight: lines that climb are taken for columns otherwise. */
function straighten({ words, skew, width, height }: RecognisedPage): Word[] {
  if (!skew) return words;
  const angle = (-skew * Math.PI) / 180;
  const [sin, cos] = [Math.sin(angle), Math.cos(angle)];
  return words.map((word) => {
    const { box } = word;
    const x = box.x + box.width / 2 - width / 2;
    const y = box.y + box.height / 2 - height / 2;
    const centre = { x: width / 2 + x * cos - y * sin, y: height / 2 + x * sin + y * cos };
    return { ...word, box: { ...box, x: centre.x - box.width / 2, y: centre.y - box.height / 2 } };
  });
}
