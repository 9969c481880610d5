/** Takes from a page what its subtopic keeps of it: a few items of each kind, each short enough to be read in a list. */

import { clipWords } from "./clip-words.ts";
import type { PageParts } from "./page-parts.ts";
import type { PageStructure } from "./page-structure.ts";
import { pickSentences } from "./pick-sentences.ts";

const mostItems = 8;
const mostSentences = 5;
const itemWords = 60;
const exampleWords = 120;
/** Running heads are short; longer lines of text need not be kept to know them again. */
const mostEdge = 120;

export function collectParts(page: PageStructure, pageNumber: number): PageParts {
  return {
    page: pageNumber,
    headings: page.headings
      .filter(({ role, text }) => role !== "other" && role !== "exercise" && text !== "")
      .map(({ text }) => text)
      .slice(0, mostItems),
    definitions: page.definitions
      .slice(0, mostItems)
      .map(({ term, text }) => ({ term, text: clipWords(text, itemWords) })),
    objectives: clipItems(page.objectives, itemWords),
    examples: clipItems(page.examples, exampleWords).slice(0, 4),
    exercises: clipItems(page.exercises, itemWords),
    activities: clipItems(page.activities, itemWords),
    keyTerms: page.keyTerms,
    sentences: clipItems(pickSentences(statements(page.sentences), page.keyTerms, mostSentences), itemWords),
    edges: page.edges.map((edge) => edge.slice(0, mostEdge)),
  };
}

function clipItems(items: readonly string[], words: number): string[] {
  return items.slice(0, mostItems).map((item) => clipWords(item, words));
}

/** Questions explain nothing; they are kept where nothing else is said. */
function statements(sentences: readonly string[]): readonly string[] {
  const stated = sentences.filter((sentence) => !sentence.endsWith("?"));
  return stated.length > 0 ? stated : sentences;
}
