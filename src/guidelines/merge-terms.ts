/**
 * The key terms of a subtopic after one more page: those of both in turn, so that a long subtopic keeps up with its text.
 * With the terms of its first page alone, its later pages would look like another subject.
 */
import { foldWord } from "./fold-words.ts";

const most = 24;

export function mergeTerms(known: readonly string[], added: readonly string[]): string[] {
  const merged = new Map<string, string>();
  for (let rank = 0; rank < Math.max(known.length, added.length); rank++) {
    for (const term of [known[rank], added[rank]]) {
      if (term === undefined) continue;
      const key = term.split(" ").map(foldWord).join(" ");
      if (!merged.has(key)) merged.set(key, term);
    }
  }
  return [...merged.values()].slice(0, most);
}
