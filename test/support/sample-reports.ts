/** A PDF report of three pages with headings, prose, labelled values and a table; its words are those of the topics given. */
import type { SampleFile } from "./document-place.ts";
import { drawPdf, type PdfDrawing } from "./sample-pdfs.ts";
import { wordsOf, writeSentences } from "./topic-texts.ts";

export interface SampleReport {
  name: string;
  /** What each page is about: the topics whose words are mixed in its prose. */
  pages: readonly (readonly string[])[];
}

const sentencesPerPage = 26;

export async function makeReport({ name, pages }: SampleReport): Promise<SampleFile> {
  const bytes = await drawPdf((document) => {
    for (const [index, topics] of pages.entries()) {
      if (index > 0) document.addPage();
      const words = topics.flatMap((topic) => wordsOf(topic));
      document.font("Helvetica-Bold").fontSize(20).text(`The ${words[0]} of ${words[1]}`);
      document.moveDown().font("Helvetica").fontSize(10);
      document.text(writeSentences(words, sentencesPerPage, `${name} ${index}`), { paragraphGap: 12 });
      document.text(`Report number: R-${1000 + index}`, { paragraphGap: 4 });
      document.text(`Date: 2031-0${index + 1}-15`, { paragraphGap: 4 });
      document.text(`Total: ${(index + 1) * 125}.50 EUR`, { paragraphGap: 16 });
      drawTable(document, [
        ["Item", "Count", "Price"],
        ["Lantern", String(index + 2), "12.00"],
        ["Rope", String(index + 7), "3.50"],
      ]);
    }
  });
  return { name: `${name}.pdf`, bytes };
}

function drawTable(document: PdfDrawing, rows: readonly (readonly string[])[]): void {
  const [left, top, width, height] = [72, document.y, 120, 20];
  const columns = rows[0]?.length ?? 0;
  for (let row = 0; row <= rows.length; row++) {
    document.moveTo(left, top + row * height).lineTo(left + columns * width, top + row * height);
  }
  for (let column = 0; column <= columns; column++) {
    document.moveTo(left + column * width, top).lineTo(left + column * width, top + rows.length * height);
  }
  document.stroke();
  for (const [row, cells] of rows.entries()) {
    for (const [column, text] of cells.entries()) {
      document.text(text, left + column * width + 6, top + row * height + 6, { lineBreak: false });
    }
  }
}
