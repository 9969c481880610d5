/** Puts words that stand on one line together, by their places alone: the order of a file says nothing about them. */
import type { Box, Word } from "../layout/page.ts";

export interface Row {
  /** From left to right. */
  words: Word[];
  /** The words with one space between them. */
  text: string;
  box: Box;
}

/** In points; rows of heat sheets are at least 9 apart. */
const sameLine = 3;

/** Rows from top to bottom. Words belong to one row when their middles are within 3 points of it. */
export function groupRows(words: readonly Word[], tolerance = sameLine): Row[] {
  const middle = ({ box }: Word) => box.y + box.height / 2;
  const rows: { at: number; words: Word[] }[] = [];
  for (const word of [...words].sort((a, b) => middle(a) - middle(b))) {
    const last = rows.at(-1);
    if (last && middle(word) - last.at <= tolerance) last.words.push(word);
    else rows.push({ at: middle(word), words: [word] });
  }
  return rows.map(({ words: inRow }) => toRow(inRow));
}

function toRow(unordered: readonly Word[]): Row {
  const words = [...unordered].sort((a, b) => a.box.x - b.box.x);
  return { words, text: words.map(({ text }) => text).join(" "), box: boxAround(words.map(({ box }) => box)) };
}

export function boxAround(boxes: readonly Box[]): Box {
  const x = Math.min(...boxes.map((box) => box.x));
  const y = Math.min(...boxes.map((box) => box.y));
  const right = Math.max(...boxes.map((box) => box.x + box.width));
  const bottom = Math.max(...boxes.map((box) => box.y + box.height));
  return { x, y, width: round(right - x), height: round(bottom - y) };
}

function round(points: number): number {
  return Math.round(points * 100) / 100;
}
