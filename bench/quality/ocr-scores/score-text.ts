/**
 * How well a page was read. The character error rate counts every wrong, missing and surplus character in the order of
 * reading; word recall asks only how many of the page's words were found, in whatever order.
 */
import { editDistance } from "./edit-distance.ts";
import { normaliseText } from "./normalise-text.ts";

export interface TextScore {
  /** Edits per character of the truth; above 1 when there is more garbage than text. */
  characterErrorRate: number;
  /** 0 to 1. */
  wordRecall: number;
}

export function scoreText(truth: string, read: string): TextScore {
  const expected = normaliseText(truth);
  const actual = normaliseText(read);
  return {
    characterErrorRate: editDistance(expected, actual) / Math.max(1, [...expected].length),
    wordRecall: recallWords(expected, actual),
  };
}

function recallWords(expected: string, actual: string): number {
  const unread = new Map<string, number>();
  for (const word of actual.split(" ")) unread.set(word, (unread.get(word) ?? 0) + 1);
  const words = expected.split(" ");
  let found = 0;
  for (const word of words) {
    const left = unread.get(word) ?? 0;
    if (left === 0) continue;
    unread.set(word, left - 1);
    found += 1;
  }
  return found / words.length;
}
