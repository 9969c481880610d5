/** One page of a PDF: its words, what is drawn around them, and the values of its form. */
import type { Field } from "../../layout/blocks.ts";
import type { PageText } from "../../layout/page.ts";
import { judgeTextLayer } from "./judge-text-layer.ts";
import { measurePage, type PageSpace } from "./page-space.ts";
import type { PdfDocument } from "./pdf-document.ts";
import type { Pdfium } from "./pdfium.ts";
import { readFormFields } from "./read-form-fields.ts";
import { readWords } from "./read-words.ts";
import { surveyPage } from "./survey-page.ts";

export interface PdfPage {
  text: PageText;
  fields: Field[];
  needsOcr: boolean;
  /** Of what was scanned, in pixels per inch. */
  imageDpi?: number;
}

/** Kinds of annotations that put text on the page: free text, stamps, form fields. */
const written = new Set([3, 13, 20]);
const mostAnnotations = 2_000;

export function readPdfPage(pdfium: Pdfium, document: PdfDocument, number: number): PdfPage {
  const { call } = pdfium;
  return document.withPage(number, (page) => {
    const space = measurePage(pdfium, page);
    const fields = readFormFields(pdfium, document, page, number, space);
    // Their text counts as the page's only once it is part of the page.
    if (hasWrittenAnnotations(page) && document.flatten(page)) {
      return { fields, ...document.withPage(number, (flat) => readText(flat, space)) };
    }
    return { fields, ...readText(page, space) };
  });

  function readText(page: number, space: PageSpace): Omit<PdfPage, "fields"> {
    const survey = surveyPage(pdfium, page, space);
    const { words, needsOcr } = judgeTextLayer(readWords(pdfium, page, space), survey);
    const { width, height } = space;
    const { rules, imageDpi } = survey;
    return { text: { page: number, width, height, source: "text", words, rules }, needsOcr, imageDpi };
  }

  function hasWrittenAnnotations(page: number): boolean {
    const count = Math.min(call.FPDFPage_GetAnnotCount(page), mostAnnotations);
    for (let index = 0; index < count; index++) {
      const annotation = call.FPDFPage_GetAnnot(page, index);
      if (annotation === 0) continue;
      const kind = call.FPDFAnnot_GetSubtype(annotation);
      call.FPDFPage_CloseAnnot(annotation);
      if (written.has(kind)) return true;
    }
    return false;
  }
}
