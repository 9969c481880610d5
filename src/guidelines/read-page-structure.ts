/** Reads the OCR text of a textbook page into its parts. Pure: the same text always gives the same structure. */
import { splitSentences } from "../layout/chunk-sentences.ts";
import { cleanLines, splitLines } from "./clean-lines.ts";
import { findDefinitions } from "./find-definitions.ts";
import { findFurniture } from "./find-furniture.ts";
import { findHeadings } from "./find-headings.ts";
import { judgeKind } from "./judge-kind.ts";
import type { Heading, PageStructure } from "./page-structure.ts";
import { rankTerms } from "./rank-terms.ts";
import { readContents } from "./read-contents.ts";
import { type SortedBlocks, sortBlocks } from "./sort-blocks.ts";
import { splitBlocks } from "./split-blocks.ts";

/** Far above what a page holds; a file that is no page must not take seconds. */
const mostCharacters = 30_000;

export function readPageStructure(text: string): PageStructure {
  const page = text.slice(0, mostCharacters);
  const lines = cleanLines(page);
  const { lines: furniture, printedPage, edges } = findFurniture(lines);
  const body = lines.map((line, index) => (furniture.has(index) ? "" : line));
  const contents = readContents(body, splitLines(page));
  const headings = contents.isContents ? [] : findHeadings(lines, furniture);
  const sorted = sortBlocks(splitBlocks(lines, furniture, headings), headings);
  const sentences = sorted.prose.flatMap((block) => sentencesOf(block.text));
  const kind = judgeKind({ lines: body, isContents: contents.isContents, headings, sentences: sentences.length });
  // Titles listed at the top of a contents page are no running heads.
  const base = { kind, headings, contents: contents.entries, printedPage, edges: contents.isContents ? [] : edges };
  if (kind !== "content") return { ...base, ...emptyParts() };
  const definitions = findDefinitions(sentences, sorted.glossary);
  const keyTerms = rankTerms({
    sentences: [...sentences, ...sorted.activities, ...sorted.exercises, ...sorted.examples],
    headings: headings.filter(isAboutSubject).map((heading) => heading.text),
    named: [...sorted.terms, ...definitions.map(({ term }) => term)],
  });
  return { ...base, definitions, ...announced(sorted), keyTerms, sentences };
}

/** A bare number before a title at the top may be a page number before a running head. */
function isAboutSubject({ role, certainty }: Heading): boolean {
  return role !== "other" && role !== "exercise" && (role !== "chapter" || certainty >= 0.9);
}

function announced({ objectives, examples, exercises, activities }: SortedBlocks) {
  return { objectives, examples, exercises, activities };
}

function emptyParts() {
  return { definitions: [], objectives: [], examples: [], exercises: [], activities: [], keyTerms: [], sentences: [] };
}

const address = /https?:|www\.|\S+\.(?:png|jpe?g|svg)\b/i;

/** Whole sentences only: a caption or the row of a table is none. */
function sentencesOf(text: string): string[] {
  const sentences: string[] = [];
  let from = 0;
  for (const end of splitSentences(text, 0, text.length)) {
    const sentence = text.slice(from, end).trim();
    from = end;
    const words = sentence.split(" ").length;
    if (words < 4 || words > 90 || address.test(sentence)) continue;
    if (!/[.!?…。！？]["'”’»)\]]*$/.test(sentence) || !/^["'“‘(«¿¡]?[\p{Lu}\p{Lo}\p{N}]/u.test(sentence)) continue;
    if (sentence.replace(/[^\p{L}]/gu, "").length < sentence.length * 0.6) continue;
    sentences.push(sentence);
  }
  return sentences;
}
