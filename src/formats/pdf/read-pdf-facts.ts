/** What a PDF says about itself as a whole. */
import type { DocumentFacts } from "../document-reader.ts";
import type { PdfDocument } from "./pdf-document.ts";
import type { Pdfium } from "./pdfium.ts";
import { readOutline } from "./read-outline.ts";

export function readPdfFacts(pdfium: Pdfium, document: PdfDocument): DocumentFacts {
  const { call } = pdfium;
  const language = pdfium.readText((buffer, bytes) => call.EPDFCatalog_GetLanguage(document.handle, buffer, bytes));
  return {
    parts: document.pageCount,
    title: usable(readMeta("Title").replace(/^Microsoft (?:Word|PowerPoint|Excel) - /, "")),
    author: usable(readMeta("Author")),
    language: usable(language.trim()),
    outline: readOutline(pdfium, document),
  };

  function readMeta(key: string): string {
    const text = pdfium.withText(key, (name) =>
      pdfium.readText((buffer, bytes) => call.FPDF_GetMetaText(document.handle, name, buffer, bytes)),
    );
    // biome-ignore lint/suspicious/noControlCharactersInRegex: metadata is padded with anything
    return text.replace(/[\u0000-\u001f\s]+/g, " ").trim();
  }
}

/** Programs fill in these where they know nothing. */
function usable(text: string): string | undefined {
  return /^(?:|\(?(?:untitled|anonymous|unknown|unspecified|none)\)?(?:[ .].*)?|x-default)$/i.test(text)
    ? undefined
    : text;
}
