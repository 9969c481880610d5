/** Counts the rows at the top of a table that name its columns. */
import type { TableCell } from "./blocks.ts";

const figure = /^[-–−+(]?[$€£¥]?\s?\d[\d\s.,'’]*\s?[%)]?$/;

/** A number, an amount, or what stands for one that is missing. */
export function isFigure(text: string): boolean {
  return figure.test(text) || /^[-–—.…]+$|^n\/?a$/i.test(text);
}

/** `bold` tells, for each row, of each cell with text whether it is bold. At least one row is header, as markdown wants. */
export function countHeaderRows(rows: readonly TableCell[][], bold: readonly boolean[][]): number {
  const last = Math.min(rows.length - 1, 5);
  let count = 0;
  for (let i = 0; i < last; i++) {
    const texts = (rows[i] ?? []).map((cell) => cell.text).filter((text) => text !== "");
    const allBold = (bold[i]?.length ?? 0) > 0 && (bold[i]?.every(Boolean) ?? false);
    const spans = rows[i]?.some((cell) => (cell.columnSpan ?? 1) > 1) ?? false;
    const figures = texts.filter((text) => isFigure(text) && !/^(19|20)\d\d$/.test(text)).length;
    const nextHasFigures = rows.slice(i + 1).some((row) => row.some((cell) => isFigure(cell.text)));
    if (figures > 0) break;
    if (i === 0 || allBold || (spans && nextHasFigures && i < 3) || startsEmpty(rows[i], nextHasFigures)) count = i + 1;
    else break;
    if (i === 0 && allBold && !(bold[1]?.every(Boolean) ?? false) && !spans) break;
  }
  return Math.max(1, count);
}

/** A row without its first cell, above rows of figures, still names columns. */
function startsEmpty(row: readonly TableCell[] | undefined, nextHasFigures: boolean): boolean {
  return nextHasFigures && row?.[0]?.text === "";
}
