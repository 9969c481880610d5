/** Tells stretches of lines with gaps that only look like a table: running text, formulas, labels of a drawing. */
import type { Line } from "./line.ts";
import { type Cell, cellsOf } from "./split-cells.ts";

/** `lines` are those between the first and the last row, `columns` what the gaps make of them. */
export function isOnlyAligned(lines: readonly Line[], columns: number): boolean {
  const cells = lines.map((line) => (line.upright ? [] : cellsOf(line)));
  return (
    isRunningText(cells, columns) ||
    isLooseText(lines, cells) ||
    isFormula(cells) ||
    isDebris(cells) ||
    isLabels(cells) ||
    isSparse(cells, columns)
  );
}

/** Columns that all hold sentences are no table. */
function isRunningText(cells: readonly Cell[][], columns: number): boolean {
  const all = cells.flat();
  const letters = all.reduce((sum, cell) => sum + cell.letters, 0);
  const running = all.filter((cell) => cell.words.length >= 5).reduce((sum, cell) => sum + cell.letters, 0);
  return running > letters * (columns === 2 ? 0.55 : 0.75);
}

const mostLoose = 4;
const plainWord = /^[("“‘]?\p{L}+[-,.;:)"”’]*$/u;

/** Justified lines whose spaces grew too wide, at the same place by accident: from edge to edge, no gap really wide. */
function isLooseText(lines: readonly Line[], cells: readonly Cell[][]): boolean {
  if (lines.length > mostLoose) return false;
  const left = Math.min(...lines.map((line) => line.x1));
  const right = Math.max(...lines.map((line) => line.x2));
  const isFull = (line: Line, at: number): boolean =>
    (line.x1 - left < line.size * 2 && right - line.x2 < line.size) || at === lines.length - 1;
  if (!lines.every(isFull)) return false;
  const narrow = cells.every((line) =>
    line.every((cell, i) => cell.x1 - (line[i - 1]?.x2 ?? cell.x1) < (cell.words[0]?.size ?? 0) * 1.7),
  );
  const words = lines.flatMap((line) => line.words);
  return narrow && words.filter((word) => plainWord.test(word.text)).length > words.length * 0.7;
}

const operator = /^[=+≈≡∈⊆⇔⇒→−·]+$/u;
const equals = /^[=≈≡∈⊆⇔⇒]$|^=/u;

/** Lines of a formula are aligned at their signs. */
function isFormula(cells: readonly Cell[][]): boolean {
  const parted = cells.filter((line) => line.length > 1);
  if (!parted.some((line) => line.some((cell) => cell.words.some((word) => equals.test(word.text))))) return false;
  const signed = parted.filter((line) =>
    line.some(
      (cell, i) => (i > 0 && operator.test(cell.words[0]?.text ?? "")) || operator.test(cell.words.at(-1)?.text ?? ""),
    ),
  );
  return signed.length >= parted.length * 0.5;
}

/** Signs without letters or figures: what is left of a face whose letters have no names. */
function isDebris(cells: readonly Cell[][]): boolean {
  const all = cells.flat();
  const read = all.filter((cell) => cell.words.some((word) => /[\p{L}\p{N}]/u.test(word.text)));
  return read.length < all.length * 0.5;
}

/** A few lines without a word or a real number: points of a drawing, ticks of an axis. */
function isLabels(cells: readonly Cell[][]): boolean {
  return (
    cells.length <= 4 &&
    !cells.flat().some((cell) => cell.words.some((word) => /\p{L}{3}|\d{2}|\d[.,]\d/u.test(word.text)))
  );
}

/** Scattered over the paper: most of the places are empty. */
function isSparse(cells: readonly Cell[][], columns: number): boolean {
  const filled = cells.reduce((sum, line) => sum + line.length, 0);
  return columns >= 4 && filled < cells.length * columns * 0.35;
}
