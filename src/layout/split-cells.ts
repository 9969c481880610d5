/** Splits a line where the gap is wider than between words of a sentence. */
import type { Line } from "./line.ts";
import type { PlacedWord } from "./placed-word.ts";

export interface Cell {
  x1: number;
  x2: number;
  words: PlacedWord[];
  letters: number;
}

export function cellsOf(line: Line, widestSpace = 0.85): Cell[] {
  const cells: Cell[] = [];
  for (const word of line.words) {
    const last = cells.at(-1);
    if (last === undefined || word.x1 - last.x2 > word.size * widestSpace) {
      cells.push({ x1: word.x1, x2: word.x2, words: [word], letters: word.text.length });
    } else {
      last.words.push(word);
      last.x2 = Math.max(last.x2, word.x2);
      last.letters += word.text.length;
    }
  }
  return cells;
}
