/** Where topics and subtopics were found to begin, against where chapters and sections do: the same page or wrong. */
import type { SubtopicRow } from "../../../src/pipelines/books/queries/list-subtopics.ts";

export interface StartScore {
  /** Pages on which something begins. */
  true: number;
  found: number;
  right: number;
}

export function topicStarts(subtopics: readonly SubtopicRow[]): Set<number> {
  const first = new Map<string, number>();
  for (const { topicKey, pages } of subtopics) {
    const [page] = pages;
    if (page !== undefined) first.set(topicKey, Math.min(page, first.get(topicKey) ?? page));
  }
  return new Set(first.values());
}

export function subtopicStarts(subtopics: readonly SubtopicRow[]): Set<number> {
  return new Set(subtopics.flatMap(({ pages }) => pages.slice(0, 1)));
}

export function scoreStarts(found: ReadonlySet<number>, truth: ReadonlySet<number>): StartScore {
  return { true: truth.size, found: found.size, right: [...found].filter((page) => truth.has(page)).length };
}

export function addScores(scores: readonly StartScore[]): StartScore {
  const sum = (of: (score: StartScore) => number) => scores.reduce((total, score) => total + of(score), 0);
  return { true: sum((score) => score.true), found: sum(({ found }) => found), right: sum(({ right }) => right) };
}

export function precisionOf({ found, right }: StartScore): number {
  return found === 0 ? Number.NaN : right / found;
}

export function recallOf(score: StartScore): number {
  return score.true === 0 ? Number.NaN : score.right / score.true;
}
