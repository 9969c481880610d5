/** Draws a page at the resolution OCR likes and has its words read: the way from a scan in a file to words with boxes. */
import type { DocumentReader, FileToRead } from "../../formats/document-reader.ts";
import type { Word } from "../../layout/page.ts";
import type { CallContext } from "../call-context.ts";
import type { OcrEngine, RecognisedPage } from "./ocr-engine.ts";

/** What tesseract was trained on; coarser than the least, small print is lost whatever is drawn. */
const ocrDpi = { least: 150, most: 300 };

export interface DrawnPage extends RecognisedPage {
  /** The words as they would lie if the page had been laid straight: lines that climb are taken for columns otherwise. */
  straight: Word[];
}

export async function readDrawnPage(
  { reader, ocr }: { reader: DocumentReader; ocr: OcrEngine },
  file: FileToRead,
  { page, imageDpi }: { page: number; imageDpi?: number },
  { signal, remember }: CallContext,
): Promise<DrawnPage> {
  const dpi = Math.min(ocrDpi.most, Math.max(ocrDpi.least, imageDpi ?? ocrDpi.most));
  const drawn = await reader.renderGrey(file, page, dpi, signal);
  const recognised = await ocr.recognise({ ...drawn, format: "grey" }, { signal, remember });
  return { ...recognised, straight: straighten(recognised) };
}

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
