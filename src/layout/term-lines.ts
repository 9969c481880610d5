/** Lines of a list of terms: a term, a gap, and what explains it, which goes on below itself. */
import type { Line } from "./line.ts";

/** Both begin with a term, and what explains it begins at the same place behind it. */
export function explainsTerm(first: Line | undefined, line: Line): boolean {
  if (first === undefined || Math.abs(first.x1 - line.x1) > 1) return false;
  const at = explanationAt(first);
  return at !== undefined && Math.abs(at - (explanationAt(line) ?? Number.NaN)) < 1;
}

export function explanationAt(line: Line): number | undefined {
  for (let i = 1; i < Math.min(line.words.length, 5); i++) {
    const [before, word] = [line.words[i - 1], line.words[i]];
    if (before !== undefined && word !== undefined && word.x1 - before.x2 > word.size * 0.85) return word.x1;
  }
  return undefined;
}
