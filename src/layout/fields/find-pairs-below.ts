/**
 * Finds values that stand below their label: under a label that is known by name or ends with a colon, and under each
 * cell of a row of labels with exactly one row of values. Tables of several rows are left to the tables.
 */
import type { Piece, PieceRow } from "./cut-pieces.ts";
import { findColon, isPlausibleLabel } from "./judge-label.ts";
import { notions } from "./label-synonyms.ts";
import { matchLabel } from "./match-label.ts";
import { isLooseNotion, makePair, type Pair, type PairFinder } from "./pair.ts";

const labelsAtMost = 8;

export function findPairsBelow(rows: readonly PieceRow[], finder: PairFinder): Pair[] {
  const pairs: Pair[] = [];
  for (const [index, row] of rows.entries()) {
    if (row.pieces.length > labelsAtMost) continue;
    const labels = row.pieces.filter((piece) => !piece.used && !piece.prose);
    if (labels.length === 0) continue;
    const header = isRowOfLabels(rows, index);
    for (const label of labels) {
      const pair = readBelow(label, { rows, index, header }, finder);
      if (pair) pairs.push(pair);
    }
  }
  return pairs;
}

/** At least two labels without digits, each with a value right below it that is no label itself, and no second row of values. */
export function isRowOfLabels(rows: readonly PieceRow[], index: number): boolean {
  const pieces = rows[index]?.pieces ?? [];
  if (pieces.length < 2 || pieces.length > labelsAtMost) return false;
  if (!pieces.every((piece) => piece.words.length <= 5 && !/\d/.test(piece.text) && isPlausibleLabel(piece.text)))
    return false;
  if (isContinued(pieces, rows[index - 1])) return false;
  const values = pieces.map((piece) => findUnder(piece, rows, index)).filter((found) => found !== undefined);
  if (values.length < 2 || values.length < pieces.length - 1) return false;
  if (values.some((value) => (rows[value.index]?.pieces.length ?? 0) > pieces.length)) return false;
  if (!values.some(({ piece }) => /\d/.test(piece.text)) || values.some(({ piece }) => findColon(piece.words)))
    return false;
  return values.filter(({ piece, index: at }) => isColumn(piece, rows, at)).length < 2;
}

interface Surroundings {
  rows: readonly PieceRow[];
  index: number;
  /** The label is one of a row of labels. */
  header: boolean;
}

function readBelow(label: Piece, { rows, index, header }: Surroundings, finder: PairFinder): Pair | undefined {
  const text = label.text.replace(/\s*:\s*$/, "");
  const colon = text !== label.text;
  if (findColon(label.words) && !colon) return undefined;
  const matches = matchLabel(text, finder.misread);
  if (matches.length === 0 && !(isPlausibleLabel(text) && (colon || header))) return undefined;
  const under = findUnder(label, rows, index);
  if (!under || under.piece.used || under.piece.prose || findColon(under.piece.words)) return undefined;
  if (matchLabel(under.piece.text, false).length > 0) return undefined;
  // A heading over a column of numbers is a table, not a label.
  if (isColumn(under.piece, rows, under.index) && !colon) return undefined;
  const pair = makePair(
    { label: text, matches, valueWords: under.piece.words, sign: "above", prose: false },
    finder.evidence,
  );
  const telling = pair.notions.some(({ notion }) => !isLooseNotion(notion) && notions[notion].type !== "amount");
  if (pair.value === "" || !(telling || colon || header)) return undefined;
  // An empty field over the head of a table.
  const cells = rows[under.index]?.pieces.length ?? 0;
  if (!telling && !header && cells > 3 && pair.recognised.shape === "text") return undefined;
  label.used = true;
  under.piece.used = true;
  return pair;
}

/** The row above is built alike: both are rows of a list, and labels stand in its first column. */
function isContinued(pieces: readonly Piece[], above: PieceRow | undefined): boolean {
  const [first] = pieces;
  if (!above || !first || first.top - above.bottom > 0.8 * (first.bottom - first.top)) return false;
  return pieces.filter((piece) => above.pieces.some((other) => Math.abs(other.x - piece.x) < 4)).length >= 2;
}

/** The piece below within a line and a half; rows of another column may lie between. */
function findUnder(
  label: Piece,
  rows: readonly PieceRow[],
  index: number,
): { piece: Piece; index: number } | undefined {
  const height = label.bottom - label.top;
  for (let at = index + 1; at < Math.min(rows.length, index + 4); at++) {
    const piece = rows[at]?.pieces.find(
      (candidate) =>
        candidate.top - label.bottom < 1.6 * height &&
        candidate.top > label.top + 0.5 * height &&
        isAligned(label, candidate),
    );
    if (piece) return { piece, index: at };
  }
  return undefined;
}

function isColumn(value: Piece, rows: readonly PieceRow[], index: number): boolean {
  const next = findUnder(value, rows, index)?.piece;
  return next !== undefined && /\d/.test(next.text) && /\d/.test(value.text) && !findColon(next.words);
}

function isAligned(label: Piece, value: Piece): boolean {
  if (Math.abs(label.x - value.x) < 6 || Math.abs(label.right - value.right) < 6) return true;
  const centres = Math.abs((label.x + label.right) / 2 - (value.x + value.right) / 2);
  return centres < 0.25 * Math.max(label.right - label.x, value.right - value.x);
}
