/** Keeps the last PDF open, so that the next page of it costs no opening; one at a time, for the sake of memory. */
import { statSync } from "node:fs";
import { openPdf, type PdfDocument } from "./pdf-document.ts";
import { loadPdfium, type Pdfium } from "./pdfium.ts";

let shelf: { key: string; document: PdfDocument } | undefined;

export async function withPdf<Result>(
  path: string,
  work: (pdfium: Pdfium, document: PdfDocument) => Result,
): Promise<Result> {
  const pdfium = await loadPdfium();
  const { size, mtimeMs, ino } = statSync(path);
  const key = `${path} ${size} ${mtimeMs} ${ino}`;
  if (shelf?.key !== key) putAway();
  shelf ??= { key, document: openPdf(pdfium, path) };
  const { document } = shelf;
  try {
    const result = work(pdfium, document);
    if (document.readFailure) throw document.readFailure;
    return result;
  } catch (error) {
    throw document.readFailure ?? error;
  } finally {
    if (document.altered || document.readFailure) putAway();
  }
}

function putAway(): void {
  const before = shelf;
  shelf = undefined;
  before?.document.close();
}
