/** Joins pieces that stand beside each other in one region to whole lines, and puts those in order from top to bottom. */
import { besideness, type Line, lineOf } from "./line.ts";

interface Row {
  pieces: Line[];
  /** The piece with the largest type: raised and lowered ones are compared with it. */
  main: Line;
}

/** Rows looked back at; more overlap only on broken pages. */
const mostLookedAt = 6;

export function joinRows(pieces: readonly Line[]): Line[] {
  const sorted = pieces.toSorted((a, b) => a.y1 + a.y2 - b.y1 - b.y2 || a.x1 - b.x1);
  const rows: Row[] = [];
  for (const piece of sorted) {
    const row = piece.upright ? undefined : rowFor(rows, piece);
    if (row === undefined) rows.push({ pieces: [piece], main: piece });
    else {
      row.pieces.push(piece);
      if (piece.size > row.main.size) row.main = piece;
    }
  }
  return rows.map((row) => {
    if (row.pieces.length === 1) return row.main;
    return lineOf(row.pieces.toSorted((a, b) => a.x1 - b.x1).flatMap((piece) => piece.words));
  });
}

function rowFor(rows: readonly Row[], piece: Line): Row | undefined {
  let best: Row | undefined;
  let bestFit = 0.5;
  for (let i = rows.length - 1; i >= Math.max(0, rows.length - mostLookedAt); i--) {
    const row = rows[i];
    if (row === undefined || row.main.upright) continue;
    const fit = besideness(row.main, piece);
    if (fit > bestFit && !row.pieces.slice(-8).some((other) => isOver(other, piece))) {
      best = row;
      bestFit = fit;
    }
  }
  return best;
}

function isOver(a: Line, b: Line): boolean {
  const shared = Math.min(a.x2, b.x2) - Math.max(a.x1, b.x1);
  return shared > Math.min(a.x2 - a.x1, b.x2 - b.x1) * 0.4;
}
