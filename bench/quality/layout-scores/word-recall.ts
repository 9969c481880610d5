/** How many of the words that should be there are there, each as often as it should be; and how many are there besides. */
import { normalWords } from "./normal-words.ts";

export interface WordScore {
  recall: number;
  precision: number;
  f1: number;
}

export function scoreWords(found: string, expected: string): WordScore {
  const wanted = countOf(normalWords(expected));
  const got = countOf(normalWords(found));
  let shared = 0;
  let wantedTotal = 0;
  let gotTotal = 0;
  for (const [word, count] of wanted) {
    wantedTotal += count;
    shared += Math.min(count, got.get(word) ?? 0);
  }
  for (const count of got.values()) gotTotal += count;
  const recall = wantedTotal === 0 ? 1 : shared / wantedTotal;
  const precision = gotTotal === 0 ? 1 : shared / gotTotal;
  return { recall, precision, f1: recall + precision === 0 ? 0 : (2 * recall * precision) / (recall + precision) };
}

function countOf(words: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}
