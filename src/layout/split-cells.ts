/** Splits a line where the gap is wider than between words of a sentence, and behind dots that lead to the right. */
import { isLeader } from "./gather-leaders.ts";
import type { Line } from "./line.ts";
import type { PlacedWord } from "./placed-word.ts";

export interface Cell {
  x1: number;
  x2: number;
  words: PlacedWord[];
  letters: number;
}

/** In type sizes; two spaces of a monospaced face are wider than most gaps between columns. */
const widestSpace = 0.85;
const widestMono = 1.35;

export function cellsOf(line: Line): Cell[] {
  const cells: Cell[] = [];
  for (const word of line.words) {
    const last = cells.at(-1);
    const before = last?.words.at(-1);
    if (
      last === undefined ||
      before === undefined ||
      word.x1 - last.x2 > word.size * (before.mono && word.mono ? widestMono : widestSpace) ||
      (isLeader(before) && last.words.length > 1)
    ) {
      cells.push({ x1: word.x1, x2: word.x2, words: [word], letters: word.text.length });
    } else {
      last.words.push(word);
      last.x2 = Math.max(last.x2, word.x2);
      last.letters += word.text.length;
    }
  }
  return cells;
}
