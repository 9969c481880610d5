/** What can be said of a new schedule before anything is sent, in the words that the server would use. */
import { type ChosenSheet, filesOf } from "./chosen-sheets.ts";
import type { FormErrors } from "./place-error.ts";

export interface SheetLimits {
  maxSheets: number;
  maxMb: number;
}

export function checkForm(swimmer: string, sheets: readonly ChosenSheet[], limits: SheetLimits): FormErrors {
  const errors: FormErrors = {};
  if (swimmer.trim() === "") errors.swimmer = "Swimmer name is required.";
  const tooLarge = filesOf(sheets).find((file) => isTooLarge(file, limits));
  if (sheets.length === 0) errors.sheets = "At least one PDF file or URL is required.";
  else if (sheets.length > limits.maxSheets) {
    errors.sheets = `Maximum ${limits.maxSheets} PDFs per batch. You submitted ${sheets.length}.`;
  } else if (tooLarge) errors.sheets = `${tooLarge.name} is larger than ${limits.maxMb} MB. Remove it to go on.`;
  return errors;
}

export function isTooLarge({ size }: File, { maxMb }: SheetLimits): boolean {
  return size > maxMb * 2 ** 20;
}
