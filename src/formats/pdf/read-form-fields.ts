/** The filled-in fields of a PDF form on one page: text, choices, and the state of boxes to tick. */
import type { Field } from "../../layout/blocks.ts";
import type { PageSpace } from "./page-space.ts";
import type { PdfDocument } from "./pdf-document.ts";
import type { Pdfium } from "./pdfium.ts";

const widget = 20;
// Kinds of form fields.
const checkBox = 2;
const radioButton = 3;
const comboBox = 4;
const listBox = 5;
const textField = 6;
/** Bits of an annotation's /F: hidden, and not shown on the screen. */
const hiddenFlags = 2 | 32;
const mostFields = 2_000;

export function readFormFields(
  pdfium: Pdfium,
  document: PdfDocument,
  page: number,
  number: number,
  space: PageSpace,
): Field[] {
  const { call, scratch } = pdfium;
  const form = document.form();
  if (form === 0) return [];
  const fields: Field[] = [];
  const count = Math.min(call.FPDFPage_GetAnnotCount(page), mostFields);
  for (let index = 0; index < count; index++) {
    const annotation = call.FPDFPage_GetAnnot(page, index);
    if (annotation === 0) continue;
    try {
      if (call.FPDFAnnot_GetSubtype(annotation) !== widget) continue;
      if ((call.FPDFAnnot_GetFlags(annotation) & hiddenFlags) !== 0) continue;
      const field = readField(annotation);
      if (field) fields.push(field);
    } finally {
      call.FPDFPage_CloseAnnot(annotation);
    }
  }
  return fields;

  function readField(annotation: number): Field | undefined {
    const read = (get: (form: number, annotation: number, buffer: number, bytes: number) => number) =>
      pdfium.readText((buffer, bytes) => get(form, annotation, buffer, bytes)).trim();
    // The alternate name is the one written for people.
    const key = read(call.FPDFAnnot_GetFormFieldAlternateName) || read(call.FPDFAnnot_GetFormFieldName);
    if (key === "") return undefined;
    const found = { key, confidence: 1, page: number, box: boxOf(annotation), source: "form" as const };
    switch (call.FPDFAnnot_GetFormFieldType(form, annotation)) {
      case checkBox: {
        const checked = stateOf(annotation) !== undefined;
        return { ...found, kind: "checkbox", value: checked ? "yes" : "no", normalized: String(checked) };
      }
      case radioButton: {
        const value = stateOf(annotation);
        return value === undefined ? undefined : { ...found, kind: "text", value };
      }
      case comboBox:
      case listBox:
      case textField: {
        const value = read(call.FPDFAnnot_GetFormFieldValue).replace(/\r\n?/g, "\n");
        return value === "" ? undefined : { ...found, kind: "text", value };
      }
      default:
        return undefined;
    }
  }

  /** The name under which a box is ticked; undefined while it is not. */
  function stateOf(annotation: number): string | undefined {
    const state = pdfium.withText("AS", (key) =>
      pdfium.readText((buffer, bytes) => call.FPDFAnnot_GetStringValue(annotation, key, buffer, bytes)),
    );
    return state === "" || state === "Off" ? undefined : state;
  }

  function boxOf(annotation: number) {
    call.FPDFAnnot_GetRect(annotation, scratch);
    const [left = 0, top = 0, right = 0, bottom = 0] = pdfium.floats().subarray(scratch >> 2, (scratch >> 2) + 4);
    const { x, y, width, height } = space.box(left, bottom, right, top);
    return { x: round(x), y: round(y), width: round(width), height: round(height) };
  }
}

function round(points: number): number {
  return Math.round(points * 100) / 100;
}
