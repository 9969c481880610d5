/** Makes a title readable: without number and OCR debris, in the case the text uses, and never as empty as "Activity". */

import { foldWord, wordsOf } from "./fold-words.ts";
import type { PageParts } from "./page-parts.ts";
import { readLabel } from "./read-label.ts";
import { readTitle } from "./title-parts.ts";
import { isUpper } from "./title-shape.ts";

export interface Names {
  topicTitle: string;
  subtopicTitle: string;
}

const emptyNames =
  /^(?:(?:unit|chapter|lesson|section|part|page|topic|exercises?|activity) ?[\divxl]*|overview|getting started|general|contents?|continued|miscellaneous|untitled)$/i;
const mostCharacters = 120;

export function refineName({ topicTitle, subtopicTitle, parts }: Names & { parts: readonly PageParts[] }): Names {
  const written = surveyCase(parts);
  const subtopic = cleanTitle(subtopicTitle, written);
  const topic = cleanTitle(topicTitle, written);
  const named = isGeneric(subtopic) ? nameFromTerms(parts, written) : null;
  // An introduction to a named chapter is that chapter's.
  const fallback = isGeneric(topic) ? subtopic : topic;
  return {
    topicTitle: isGeneric(topic) ? (isGeneric(subtopic) ? (named ?? topic) : subtopic) : topic,
    subtopicTitle: named ?? (isGeneric(subtopic) ? fallback : subtopic),
  };
}

export function isGeneric(title: string): boolean {
  return title === "" || emptyNames.test(title) || readLabel(title) !== null || wordsOf(title).join("").length < 2;
}

function cleanTitle(title: string, written: ReadonlyMap<string, string>): string {
  const bare = stripDebris(title);
  const text = stripDebris(readTitle(bare).text);
  const kept = text === "" ? bare : text;
  const cased = isUpper(kept) || isLower(kept) ? caseAsWritten(kept, written) : kept;
  return cased.length <= mostCharacters ? cased : `${cased.slice(0, mostCharacters).replace(/\s+\S*$/, "")}…`;
}

const edgeDebris = /^[^\p{L}\p{N}"“‘'(¿¡]+|[^\p{L}\p{N}"”’')?!%.]+$/gu;

function stripDebris(text: string): string {
  const inner = text
    .replace(/[|¦~^_`•·*=<>{}\\[\]]+/g, " ")
    .replace(/\s+/g, " ")
    .trim();
  return inner
    .replace(edgeDebris, "")
    .replace(/(?<!\b\p{L}|etc)\.+$/u, "")
    .trim();
}

function isLower(text: string): boolean {
  return text === text.toLowerCase();
}

/** "PLANTS ON EARTH" as "Plants on Earth", because the text writes "plants" and "Earth". */
function caseAsWritten(title: string, written: ReadonlyMap<string, string>): string {
  const cased = title.toLowerCase().replace(/\p{L}[\p{L}\p{M}'’]*/gu, (word) => written.get(word) ?? word);
  return cased.replace(/\p{L}/u, (first) => first.toUpperCase());
}

/** How the text writes a word in the middle of its sentences, where the case means something. */
function surveyCase(parts: readonly PageParts[]): Map<string, string> {
  const forms = new Map<string, Map<string, number>>();
  for (const text of parts.flatMap(textsOf)) {
    let isFirst = true;
    for (const match of text.matchAll(/[.!?:]\s|\p{L}[\p{L}\p{M}'’]*/gu)) {
      const [word] = match;
      if (!/^\p{L}/u.test(word)) {
        isFirst = true;
        continue;
      }
      if (!isFirst) {
        const small = word.toLowerCase();
        const counts = forms.get(small) ?? new Map<string, number>();
        counts.set(word, (counts.get(word) ?? 0) + 1);
        forms.set(small, counts);
      }
      isFirst = false;
    }
  }
  return new Map([...forms].map(([small, counts]) => [small, mostFrequent(counts, small)]));
}

/** A word that is somewhere written small is no name, unless it is nearly always written large. */
function mostFrequent(counts: ReadonlyMap<string, number>, small: string): string {
  const [form = small, count = 0] = [...counts].toSorted((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))[0] ?? [];
  return count > 3 * (counts.get(small) ?? 0) ? form : small;
}

function textsOf({ sentences, definitions, objectives, exercises, activities, examples }: PageParts): string[] {
  return [
    ...sentences,
    ...definitions.map(({ text }) => text),
    ...objectives,
    ...exercises,
    ...activities,
    ...examples,
  ];
}

/** "Solids, liquids and gases" of the key words that most pages have. */
function nameFromTerms(parts: readonly PageParts[], written: ReadonlyMap<string, string>): string | null {
  const scores = new Map<string, { term: string; score: number }>();
  for (const { keyTerms } of parts) {
    for (const [rank, term] of keyTerms.entries()) {
      const key = term.split(" ").map(foldWord).join(" ");
      const scored = scores.get(key) ?? { term, score: 0 };
      scored.score += 1 / (rank + 1);
      scores.set(key, scored);
    }
  }
  const best = [...scores.values()].toSorted((a, b) => b.score - a.score || (a.term < b.term ? -1 : 1)).slice(0, 3);
  const terms = best.map(({ term }) =>
    term.replace(/\p{L}[\p{L}\p{M}'’]*/gu, (word) => written.get(word.toLowerCase()) ?? word),
  );
  const last = terms.pop();
  if (last === undefined) return null;
  const joined = terms.length === 0 ? last : `${terms.join(", ")} and ${last}`;
  return joined.replace(/\p{L}/u, (first) => first.toUpperCase());
}
