/** Draws the samples that are printed: a PDF with a fixed date, and the pieces their pages are made of. */
import { drawPdf, type PdfDrawing } from "../../test/support/sample-pdfs.ts";

export type Drawing = PdfDrawing;
type PdfOptions = NonNullable<Parameters<typeof drawPdf>[1]>;

/** The same bytes every time: the date of a file is not the date it was made on. */
const madeAt = new Date(Date.UTC(2031, 2, 14, 9));

export function paintPdf(
  title: string,
  draw: (document: Drawing) => void,
  { size = "A4", margin = 64 }: Pick<PdfOptions, "size" | "margin"> = {},
): Promise<Buffer> {
  return drawPdf(draw, { size, margin, info: { Title: title, Creator: "Docmill samples", CreationDate: madeAt } });
}

const textSize = 11.5;

export const ink = { text: "#1d2430", soft: "#5a6472", line: "#9aa4b1", shade: "#e9eef3", accent: "#1f5f7a" };

/** Goes on to the next page where less than this is left. */
export function keepTogether(document: Drawing, height: number): void {
  if (document.y + height > document.page.height - document.page.margins.bottom) document.addPage();
}

export function heading(document: Drawing, text: string): void {
  // With some lines under it.
  keepTogether(document, 90);
  document.moveDown(0.7).font("Helvetica-Bold").fontSize(15).fillColor(ink.accent).text(text).moveDown(0.35);
}

export function paragraph(document: Drawing, text: string, options: PDFKit.Mixins.TextOptions = {}): void {
  document.font("Times-Roman").fontSize(textSize).fillColor(ink.text);
  document.text(text, { lineGap: 2, paragraphGap: 7, ...options });
}

export function list(document: Drawing, items: readonly string[], marker: (index: number) => string): void {
  const left = document.page.margins.left;
  const width = document.page.width - left - document.page.margins.right;
  for (const [index, item] of items.entries()) {
    const top = document.y;
    document.font("Times-Roman").fontSize(textSize).fillColor(ink.text).text(marker(index), left, top);
    document.text(item, left + 20, top, { width: width - 20, lineGap: 2, paragraphGap: 4 });
  }
  document.x = left;
  document.moveDown(0.4);
}

export interface TableOptions {
  left: number;
  widths: readonly number[];
  rows: readonly (readonly string[])[];
  /** Columns whose cells end at the right. */
  numbers: readonly number[];
  rowHeight?: number;
}

/** A ruled table whose first row is its head; goes on below it. */
export function table(document: Drawing, { left, widths, rows, numbers, rowHeight = 21 }: TableOptions): void {
  keepTogether(document, rows.length * rowHeight);
  const top = document.y;
  const width = widths.reduce((sum, one) => sum + one, 0);
  document.rect(left, top, width, rowHeight).fill(ink.shade);
  document.lineWidth(0.6).strokeColor(ink.line);
  for (let row = 0; row <= rows.length; row++) {
    document.moveTo(left, top + row * rowHeight).lineTo(left + width, top + row * rowHeight);
  }
  let edge = left;
  for (const column of [0, ...widths]) {
    edge += column;
    document.moveTo(edge, top).lineTo(edge, top + rows.length * rowHeight);
  }
  document.stroke();
  for (const [row, cells] of rows.entries()) {
    let x = left;
    for (const [column, text] of cells.entries()) {
      const cell = widths[column] ?? 0;
      document
        .font(row === 0 ? "Helvetica-Bold" : "Helvetica")
        .fontSize(9.5)
        .fillColor(ink.text);
      document.text(text, x + 6, top + row * rowHeight + rowHeight / 2 - 4.5, {
        width: cell - 12,
        align: numbers.includes(column) ? "right" : "left",
        lineBreak: false,
      });
      x += cell;
    }
  }
  document.x = document.page.margins.left;
  document.y = top + rows.length * rowHeight + 14;
}
