/** Puts the words of a line, given from left to right, in the order in which they are read. */
import type { PlacedWord } from "./placed-word.ts";

const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;
const leftToRight = /[\p{L}\p{N}]/u;

type Direction = "right" | "left" | "none";

function directionOf(text: string): Direction {
  if (rightToLeft.test(text)) return "left";
  return leftToRight.test(text) ? "right" : "none";
}

function hasRightToLeft(words: readonly PlacedWord[]): boolean {
  return words.some((word) => rightToLeft.test(word.text));
}

/** Whether most letters are of a script that is read from right to left. */
export function readsRightToLeft(words: readonly PlacedWord[]): boolean {
  if (!hasRightToLeft(words)) return false;
  let right = 0;
  let left = 0;
  for (const word of words) {
    const direction = directionOf(word.text);
    if (direction === "left") left += word.text.length;
    else if (direction === "right") right += word.text.length;
  }
  return left > right;
}

/** Words within the other direction (a Latin name in Arabic, a Hebrew quote in English) keep their own. */
export function orderWords(words: readonly PlacedWord[]): PlacedWord[] {
  if (!hasRightToLeft(words)) return words.slice();
  const base: Direction = readsRightToLeft(words) ? "left" : "right";
  const inOrder = base === "left" ? words.toReversed() : words.slice();
  const ordered: PlacedWord[] = [];
  let against: PlacedWord[] = [];
  for (const word of inOrder) {
    const direction = directionOf(word.text);
    if (direction !== base && (direction !== "none" || against.length > 0)) against.push(word);
    else {
      ordered.push(...turned(against));
      against = [];
      ordered.push(word);
    }
  }
  ordered.push(...turned(against));
  return ordered;
}

/** Signs at the end of an inner run belong to the outer direction: they stay behind it. */
function turned(run: PlacedWord[]): PlacedWord[] {
  let end = run.length;
  while (end > 0 && directionOf(run[end - 1]?.text ?? "") === "none") end--;
  return [...run.slice(0, end).toReversed(), ...run.slice(end)];
}
