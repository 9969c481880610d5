/** What flows over a page: a piece of a line, or a table that is known already. */
import type { Line } from "./line.ts";
import type { Edges } from "./placed-word.ts";
import { isEntry } from "./read-entry.ts";

export interface FlowItem extends Edges {
  line?: Line;
  /** Where the table is in the caller's list. */
  table?: number;
  words: number;
  letters: number;
  /** Made of words rather than of figures. */
  wordy: boolean;
  /** Of an index: words and the pages they are on. */
  entry: boolean;
  mono: boolean;
}

const notWord = /[^\p{L}]/gu;
const ideograph = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

export function lineItem(line: Line): FlowItem {
  const { x1, y1, x2, y2, words } = line;
  let letters = words.length - 1;
  let others = 0;
  for (const { text } of words) {
    letters += text.length;
    others += /^[a-z]+$/i.test(text) ? 0 : (text.match(notWord)?.length ?? 0);
  }
  const enough = words.length >= 3 || (letters >= 8 && words.some((word) => ideograph.test(word.text)));
  const wordy = enough && others < letters * 0.35;
  return { x1, y1, x2, y2, line, words: words.length, letters, wordy, entry: isEntry(words), mono: line.mono };
}

export function tableItem(edges: Edges, table: number): FlowItem {
  const { x1, y1, x2, y2 } = edges;
  return { x1, y1, x2, y2, table, words: 0, letters: 0, wordy: false, entry: false, mono: false };
}
