/** Reads a PDF the way the product does: the words of every page with their places. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { readPdfFacts } from "../../../src/formats/pdf/read-pdf-facts.ts";
import { readPdfPage } from "../../../src/formats/pdf/read-pdf-page.ts";
import { withPdf } from "../../../src/formats/pdf/with-pdf.ts";
import type { PageText } from "../../../src/layout/page.ts";

let files = 0;

export async function readSheetPages(folder: string, pdf: Buffer): Promise<PageText[]> {
  const path = join(folder, `sheet-${++files}.pdf`);
  await writeFile(path, pdf);
  return await readPdfPages(path);
}

export async function readPdfPages(path: string): Promise<PageText[]> {
  const { parts } = await withPdf(path, readPdfFacts);
  const pages: PageText[] = [];
  for (let page = 1; page <= (parts ?? 0); page++) {
    const { text } = await withPdf(path, (pdfium, document) => readPdfPage(pdfium, document, page));
    pages.push(text);
  }
  return pages;
}
