/**
 * Finds subtopics that are one: of the same name and words, on the same pages, or one within the other. It would rather
 * leave two apart than merge what only sounds alike; of two, the one that begins first is kept.
 */
import { containedPart, contentWords, sharedPart } from "./fold-words.ts";
import { isGeneric } from "./refine-names.ts";
import { isSameTitle, readTitle } from "./title-parts.ts";

export interface ComparedSubtopic {
  key: string;
  topicTitle: string;
  subtopicTitle: string;
  pages: readonly number[];
  keyTerms: readonly string[];
  vector: Float32Array | null;
}

export interface Duplicate {
  keep: string;
  drop: string;
  reason: "same concept" | "subset" | "same pages";
}

interface Compared extends ComparedSubtopic {
  first: number;
  pageSet: ReadonlySet<number>;
  terms: ReadonlySet<string>;
  title: ReturnType<typeof readTitle>;
}

/** A dropped subtopic is never kept elsewhere: whoever is compared as the first has been compared with all before it. */
export function findDuplicates(subtopics: readonly ComparedSubtopic[]): Duplicate[] {
  const ordered = subtopics.map(prepare).toSorted(compareOrder);
  const dropped = new Set<string>();
  const duplicates: Duplicate[] = [];
  for (const [index, one] of ordered.entries()) {
    if (dropped.has(one.key)) continue;
    for (const other of ordered.slice(index + 1)) {
      if (dropped.has(other.key) || other.key === one.key) continue;
      const reason = compare(one, other);
      if (reason === null) continue;
      dropped.add(other.key);
      duplicates.push({ keep: one.key, drop: other.key, reason });
    }
  }
  return duplicates;
}

/** By first page; of two that begin together the longer one comes first. */
function compareOrder(one: Compared, other: Compared): number {
  return one.first - other.first || other.pageSet.size - one.pageSet.size || (one.key < other.key ? -1 : 1);
}

function prepare(subtopic: ComparedSubtopic): Compared {
  return {
    ...subtopic,
    first: subtopic.pages.length === 0 ? Number.MAX_SAFE_INTEGER : Math.min(...subtopic.pages),
    pageSet: new Set(subtopic.pages),
    terms: new Set(subtopic.keyTerms.flatMap(contentWords)),
    title: readTitle(subtopic.subtopicTitle),
  };
}

function compare(one: Compared, other: Compared): Duplicate["reason"] | null {
  const sameTopic = isSameTitle(readTitle(one.topicTitle).text, readTitle(other.topicTitle).text);
  const sameTitle = isSameTitle(one.title.text, other.title.text) && !isGeneric(one.title.text);
  const alike = sharedPart(one.terms, other.terms);
  const nearness = cosine(one.vector, other.vector);
  if (one.pageSet.size > 0 && isWithin(one, other) && isWithin(other, one) && (sameTopic || alike >= 0.3))
    return "same pages";
  if (sameTitle && isOneConcept(one, other, sameTopic, alike, nearness)) return "same concept";
  const overlapping = isWithin(one, other) || isWithin(other, one);
  if (overlapping && sameTopic && containedPart(one.terms, other.terms) >= 0.6) return "subset";
  return null;
}

/** The same name in two chapters ("Results") may be two things; what else is known must speak for one. */
function isOneConcept(
  one: Compared,
  other: Compared,
  sameTopic: boolean,
  alike: number,
  nearness: number | null,
): boolean {
  const { number } = one.title;
  if (number !== null && other.title.number !== null && number !== other.title.number) return false;
  const known = one.terms.size > 0 && other.terms.size > 0;
  if (sameTopic) return !known || alike >= 0.15 || (nearness ?? 0) >= 0.8;
  return alike >= 0.5 || (alike >= 0.3 && (nearness ?? 0) >= 0.85);
}

function isWithin(one: Compared, other: Compared): boolean {
  return one.pageSet.size > 0 && [...one.pageSet].every((page) => other.pageSet.has(page));
}

function cosine(one: Float32Array | null, other: Float32Array | null): number | null {
  if (one === null || other === null || one.length !== other.length) return null;
  let [dot, a, b] = [0, 0, 0];
  for (let i = 0; i < one.length; i++) {
    const [x = 0, y = 0] = [one[i], other[i]];
    dot += x * y;
    a += x * x;
    b += y * y;
  }
  const cosine = dot / Math.sqrt(a * b);
  return Number.isFinite(cosine) ? cosine : null;
}
