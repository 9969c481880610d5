/** Compares the headings of two texts by their words, in order, whatever their levels. */
import { normalText } from "./normal-words.ts";

export interface HeadingScore {
  shared: number;
  found: number;
  expected: number;
  f1: number;
}

export function scoreHeadings(found: readonly string[], expected: readonly string[]): HeadingScore {
  const left = found.map(normalText);
  const wanted = expected.map(normalText);
  let shared = 0;
  for (const text of wanted) {
    const at = left.indexOf(text);
    if (at < 0) continue;
    left.splice(at, 1);
    shared++;
  }
  const total = found.length + expected.length;
  return { shared, found: found.length, expected: expected.length, f1: total === 0 ? 1 : (2 * shared) / total };
}
