/** Lets the value of an address go on over the lines below it, as long as they stand right under it and are no labels. */
import type { Piece, PieceRow } from "./cut-pieces.ts";
import { findColon } from "./judge-label.ts";
import { matchLabel } from "./match-label.ts";
import type { Pair } from "./pair.ts";
import { boxOf, textOf } from "./read-rows.ts";

const linesAtMost = 4;

export function addAddressLines(pairs: readonly Pair[], rows: readonly PieceRow[]): void {
  for (const pair of pairs) {
    if (
      !pair.notions.some((match) => match.notion === "address") &&
      !/address|anschrift|adresse|direcci[oó]n|indirizzo/i.test(pair.label)
    )
      continue;
    let last = boxOf(pair.valueWords);
    for (let count = 0; count < linesAtMost; count++) {
      const next = findNextLine(last, rows);
      if (!next) break;
      next.used = true;
      pair.valueWords = [...pair.valueWords, ...next.words];
      pair.value = `${pair.value}, ${textOf(next.words)}`.replace(/,,/, ",");
      last = boxOf(next.words);
    }
  }
}

function findNextLine(last: { x: number; y: number; height: number }, rows: readonly PieceRow[]): Piece | undefined {
  const bottom = last.y + last.height;
  return rows
    .filter((row) => row.bottom > bottom && row.top < bottom + last.height)
    .flatMap((row) => row.pieces)
    .find(
      (piece) =>
        !piece.used &&
        !piece.prose &&
        piece.top >= last.y + 0.6 * last.height &&
        piece.top - bottom < 0.8 * last.height &&
        Math.abs(piece.x - last.x) < 4 &&
        !findColon(piece.words) &&
        matchLabel(piece.text, false).length === 0,
    );
}
