/** Parts a row where the gap between two words is wider than spaces are: there a new cell begins. */
import type { Word } from "../../layout/page.ts";

/** Times the height of a line; spaces are about a quarter of it. */
const widestSpace = 0.85;

export function splitAtGaps(words: readonly Word[]): Word[][] {
  const cells: Word[][] = [];
  let before: Word | undefined;
  for (const word of words) {
    const gap = before ? word.box.x - (before.box.x + before.box.width) : Number.POSITIVE_INFINITY;
    const cell = cells.at(-1);
    if (cell && gap <= widestSpace * word.box.height) cell.push(word);
    else cells.push([word]);
    before = word;
  }
  return cells;
}
