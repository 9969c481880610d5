/** How much a page goes on about what a subtopic is about: shared key words, and the nearness of vectors where there are any. */
import { contentWords } from "./fold-words.ts";

export interface CohesionWith {
  keyTerms: readonly string[];
  /** Cosine of the two vectors. */
  similarity: number | null;
}

/** Where cosines of unrelated and of closely related texts lie for models nothing is known about. */
const unrelated = 0.4;
const related = 0.8;

/** 0 for nothing in common to 1. The first key words of a page weigh most. */
export function measureCohesion(keyTerms: readonly string[], { keyTerms: others, similarity }: CohesionWith): number {
  const known = new Set(others.flatMap(contentWords));
  let shared = 0;
  let all = 0;
  for (const [rank, word] of [...new Set(keyTerms.flatMap(contentWords))].slice(0, 12).entries()) {
    const weight = 1 / (rank + 2);
    all += weight;
    if (known.has(word)) shared += weight;
  }
  const lexical = all === 0 ? 0 : shared / all;
  if (similarity === null) return lexical;
  const near = Math.min(1, Math.max(0, (similarity - unrelated) / (related - unrelated)));
  return (lexical + near) / 2;
}
