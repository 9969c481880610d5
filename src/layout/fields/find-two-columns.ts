/**
 * Finds pairs of an unknown label and a value that stand side by side in a row of two pieces, or of four that hold two such
 * pairs. Weak signs, so the rating asks for more: a value with a shape, a contrast between both (bold, capitals, a leader),
 * or a column of such rows.
 */
import type { Piece, PieceRow } from "./cut-pieces.ts";
import { findColon, isPlausibleLabel } from "./judge-label.ts";
import { matchLabel } from "./match-label.ts";
import { makePair, type Pair, type PairFinder } from "./pair.ts";

const longestLabel = 5;
const longestValue = 10;
/** Rows of four pieces are a table, unless so many of them have a label at the same two places. */
const rowsOfFour = 4;
const alignedWithin = 4;

interface Side {
  label: Piece;
  value: Piece;
}

export function findTwoColumns(rows: readonly PieceRow[], finder: PairFinder): Pair[] {
  const pairs: Pair[] = [];
  for (const { label, value } of [...findSides(rows, 2), ...keepColumns(findSides(rows, 4))]) {
    if (label.used || value.used || matchLabel(value.text, false).length > 0) continue;
    if (label.words.some((word) => word.mono === true)) continue;
    const parts = { label: label.text, matches: [], valueWords: value.words, prose: false };
    const pair = makePair({ ...parts, sign: value.led ? "leader" : "gap" }, finder.evidence);
    if (pair.label.length < 3 || pair.value === "") continue;
    const contrast = label.bold !== value.bold || isCapitals(label.text) !== isCapitals(value.text) || value.led;
    pairs.push({ ...pair, contrast });
    label.used = true;
    value.used = true;
  }
  return pairs;
}

function findSides(rows: readonly PieceRow[], count: number): Side[] {
  return rows
    .filter(({ pieces }) => pieces.length === count)
    .flatMap(({ pieces }) => {
      const sides: Side[] = [];
      for (let at = 0; at + 1 < pieces.length; at += 2) {
        const [label, value] = [pieces[at], pieces[at + 1]];
        if (label && value && isSide(label, value)) sides.push({ label, value });
      }
      return sides.length === count / 2 ? sides : [];
    });
}

function isSide(label: Piece, value: Piece): boolean {
  if (label.prose || value.prose || findColon(label.words) || findColon(value.words)) return false;
  if (label.words.length > longestLabel || value.words.length > longestValue) return false;
  return isPlausibleLabel(label.text) && !/^[\p{Ll},;)]/u.test(value.text);
}

function keepColumns(sides: readonly Side[]): Side[] {
  return sides.filter((side) => {
    const column = sides.filter(
      (other) =>
        near(other.label.x, side.label.x) &&
        (near(other.value.x, side.value.x) || near(other.value.right, side.value.right)),
    );
    return new Set(column.map((other) => other.label.text)).size >= rowsOfFour;
  });
}

function near(a: number, b: number): boolean {
  return Math.abs(a - b) < alignedWithin;
}

function isCapitals(text: string): boolean {
  return /\p{Lu}{2}/u.test(text) && !/\p{Ll}/u.test(text);
}
