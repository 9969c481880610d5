/** Writes the teaching guidelines of a subtopic from the parts of its pages: only what they say, each item with its page. */
import { escapeInline } from "../layout/escape-markdown.ts";
import { clipWords, countWords } from "./clip-words.ts";
import { contentWords, foldWord, sharedPart, wordsOf } from "./fold-words.ts";
import type { PageParts } from "./page-parts.ts";
import { pickSentences } from "./pick-sentences.ts";

interface Item {
  text: string;
  page: number;
}

const most = {
  objectives: 10,
  terms: 16,
  definitions: 14,
  explanation: 14,
  examples: 5,
  activities: 12,
  exercises: 16,
};

export function composeGuidelines(subtopicTitle: string, parts: readonly PageParts[]): string {
  const pages = parts.toSorted((a, b) => a.page - b.page);
  const definitions = mergeDefinitions(pages);
  const defined = definitions.map(({ text }) => text);
  const explanation = dropKnown(explain(pages), defined);
  const sections: [string, string[]][] = [
    ["Learning objectives", listItems(pages, (part) => part.objectives, most.objectives)],
    ["Key terms", [...definitions.map(writeDefinition), ...writeTerms(pages, definitions)]],
    ["Line of explanation", explanation.map((item, index) => `${index + 1}. ${writeItem(item)}`)],
    ["Worked examples", listItems(pages, (part) => part.examples, most.examples)],
    ["Activities", listItems(pages, (part) => part.activities, most.activities)],
    ["Exercises and checks", listItems(pages, (part) => part.exercises, most.exercises)],
  ];
  const written = sections
    .filter(([, lines]) => lines.length > 0)
    .map(([title, lines]) => `## ${title}\n\n${lines.join("\n")}`);
  return `${[`# ${oneLine(subtopicTitle)}`, ...written].join("\n\n")}\n`;
}

function listItems(pages: readonly PageParts[], read: (part: PageParts) => readonly string[], count: number): string[] {
  const items = pages.flatMap((part) => read(part).map((text) => ({ text, page: part.page })));
  return spread(dropKnown(items, []), count).map((item) => `- ${writeItem(item)}`);
}

function writeItem({ text, page }: Item): string {
  return `${oneLine(text)} (p. ${page})`;
}

function oneLine(text: string): string {
  return escapeInline(text.replace(/\s+/g, " ").trim());
}

interface PagedDefinition extends Item {
  term: string;
}

function mergeDefinitions(pages: readonly PageParts[]): PagedDefinition[] {
  const seen = new Set<string>();
  const merged: PagedDefinition[] = [];
  for (const { page, definitions } of pages) {
    for (const { term, text } of definitions) {
      const key = term.split(" ").map(foldWord).join(" ");
      if (seen.has(key) || merged.length >= most.definitions) continue;
      seen.add(key);
      merged.push({ term, text, page });
    }
  }
  return merged;
}

function writeDefinition({ term, text, page }: PagedDefinition): string {
  return `- **${oneLine(term)}**: ${writeItem({ text, page })}`;
}

/** Terms without a definition, with the page that has them first. */
function writeTerms(pages: readonly PageParts[], definitions: readonly PagedDefinition[]): string[] {
  const seen = new Set(definitions.map(({ term }) => term.split(" ").map(foldWord).join(" ")));
  const perPage = Math.max(2, Math.floor(most.terms / Math.max(1, pages.length)));
  const terms: Item[] = [];
  for (const { page, keyTerms } of pages) {
    let taken = 0;
    for (const term of keyTerms) {
      const key = term.split(" ").map(foldWord).join(" ");
      if (seen.has(key) || taken >= perPage || terms.length >= most.terms) continue;
      seen.add(key);
      taken++;
      terms.push({ text: term, page });
    }
  }
  if (terms.length === 0) return [];
  return [`- ${definitions.length > 0 ? "Also" : "Terms"}: ${terms.map(writeItem).join(", ")}`];
}

/** The main sentences, in the order of the book. */
function explain(pages: readonly PageParts[]): Item[] {
  const perPage = Math.max(1, Math.min(4, Math.ceil(most.explanation / Math.max(1, pages.length))));
  const items = pages.flatMap(({ page, sentences, keyTerms }) =>
    pickSentences(sentences, keyTerms, perPage).map((text) => ({ text, page })),
  );
  return spread(items, most.explanation);
}

/** What was said already, in the same or nearly the same words, is not said again. */
function dropKnown(items: readonly Item[], known: readonly string[]): Item[] {
  const kept: Item[] = [];
  const seen = known.map((text) => new Set(contentWords(text)));
  const exact = new Set(known.map(foldText));
  for (const item of items) {
    const words = new Set(contentWords(item.text));
    const key = foldText(item.text);
    if (key === "" || exact.has(key)) continue;
    if (words.size >= 4 && seen.some((other) => sharedPart(words, other) >= 0.85)) continue;
    exact.add(key);
    seen.push(words);
    kept.push(item);
  }
  return kept;
}

function foldText(text: string): string {
  return (text.match(/[\p{L}\p{N}]+/gu) ?? []).join(" ").toLowerCase();
}

/** As many as are wanted, taken evenly over the pages instead of all from the first ones. */
function spread<T>(items: readonly T[], count: number): T[] {
  if (items.length <= count) return [...items];
  return Array.from({ length: count }, (_, index) => items[Math.floor((index * items.length) / count)]).filter(
    (item) => item !== undefined,
  );
}

const [leastSummary, mostSummary] = [15, 30];

/** 15 to 30 words, of the pages' own sentences; where they do not suffice, of title, key terms and pages. */
export function summariseSubtopic(title: string, parts: readonly PageParts[]): string {
  const pages = parts.toSorted((a, b) => a.page - b.page);
  const keyTerms = pages.flatMap((part) => part.keyTerms);
  const sentences = pages.flatMap((part) => [...part.sentences, ...part.definitions.map(({ text }) => text)]);
  const distinct = [...new Set(sentences)];
  for (const count of [1, 2, 3]) {
    const summary = pickSentences(distinct, keyTerms, count).join(" ");
    const words = countWords(summary);
    if (words >= leastSummary && words <= mostSummary) return oneSpace(summary);
    if (words > mostSummary) return clipWords(summary, mostSummary);
  }
  return summariseTerms(title, pages, distinct);
}

function summariseTerms(title: string, pages: readonly PageParts[], sentences: readonly string[]): string {
  const [first, last] = [pages[0]?.page, pages.at(-1)?.page];
  const where = first === undefined ? "no page yet" : first === last ? `page ${first}` : `pages ${first} to ${last}`;
  const terms = [...new Set(pages.flatMap((part) => part.keyTerms))].slice(0, 8).join(", ");
  const named = wordsOf(title).length === 0 ? "A subtopic without a title" : title;
  const texts = [
    `${clipWords(named, 10)} (${where}).`,
    ...sentences.slice(0, 3),
    terms === "" ? "" : `Key terms: ${terms}.`,
    "The text of these pages has no sentences from which a longer summary could be taken.",
  ];
  let summary = "";
  for (const text of texts) {
    if (countWords(summary) >= leastSummary) break;
    summary = oneSpace(`${summary} ${text}`);
  }
  return clipWords(summary, mostSummary);
}

function oneSpace(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
