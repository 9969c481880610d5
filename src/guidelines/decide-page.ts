/**
 * Decides whether a page continues the open subtopic or begins a new one: by headings first, by the book's table of contents
 * where there is one, by cohesion where only the look of a line speaks for a heading. When in doubt, it continues.
 */

import { decideByChapter } from "./decide-by-chapter.ts";
import { decideBySection } from "./decide-by-section.ts";
import { decideByTitle } from "./decide-by-title.ts";
import { foldEdge } from "./find-furniture.ts";
import { measureCohesion } from "./measure-cohesion.ts";
import type { ContentsEntry, Heading, PageStructure } from "./page-structure.ts";
import { readTitle, writeTitle } from "./title-parts.ts";

export interface OpenSubtopic {
  key: string;
  topicTitle: string;
  subtopicTitle: string;
  keyTerms: readonly string[];
  lastPage: number;
  /** Cosine of this page's vector with the subtopic's, where there are vectors. */
  similarity: number | null;
}

export interface DecisionContext {
  page: number;
  openSubtopics: readonly OpenSubtopic[];
  recentSummaries: readonly string[];
  /** Of the contents pages seen so far. */
  contents: readonly ContentsEntry[];
  lastTopicTitle: string | null;
  /** `edges` of the last pages: without them a running head at the top of a page may pass for a title. */
  recentEdges?: readonly string[];
}

export type PageDecision =
  | { kind: "continue"; subtopicKey: string; confidence: number; reason: string }
  | { kind: "new"; topicTitle: string; subtopicTitle: string; confidence: number; reason: string }
  | { kind: "skip"; reason: string };

const skipped = { blank: "blank page", contents: "table of contents", matter: "front or back matter" } as const;

export function decidePage(page: PageStructure, known: DecisionContext): PageDecision {
  if (page.kind !== "content") return { kind: "skip", reason: skipped[page.kind] };
  // A topic without a name gives none to what follows.
  const context = { ...known, lastTopicTitle: known.lastTopicTitle?.trim() ? known.lastTopicTitle : null };
  const open = lastOpen(context.openSubtopics);
  const cohesion = open === null ? 0 : measureCohesion(page.keyTerms, open);
  const headings = page.headings.filter((heading) => opensSubject(heading) && !isRunningHead(heading, context));
  const state = { page, context, headings, open, cohesion };
  const begun = decideByChapter(state) ?? decideBySection(state) ?? decideByTitle(state);
  if (begun !== null) return begun;
  if (open === null) return openWithoutHeading(page, context);
  const confidence = headings.length === 0 ? 0.75 + cohesion * 0.2 : 0.5 + cohesion * 0.3;
  const reason = headings.length === 0 ? "no heading opens a new subject" : "its headings stay within the subject";
  return { kind: "continue", subtopicKey: open.key, confidence: round(confidence), reason };
}

function lastOpen(subtopics: readonly OpenSubtopic[]): OpenSubtopic | null {
  let last: OpenSubtopic | null = null;
  for (const subtopic of subtopics) if (last === null || subtopic.lastPage >= last.lastPage) last = subtopic;
  return last;
}

function opensSubject({ role }: Heading): boolean {
  return role !== "other" && role !== "exercise";
}

/** The same line at the edge of one of the last pages. A number that moves on makes it a heading all the same. */
function isRunningHead(heading: Heading, { recentEdges = [], lastTopicTitle }: DecisionContext): boolean {
  const folded = foldEdge(heading.text);
  if (folded.length < 4 || !heading.top) return false;
  const returns = recentEdges.some((edge) => edge === folded || edge.endsWith(` ${folded}`));
  if (!returns || heading.number === null) return returns;
  const open = lastTopicTitle === null ? null : readTitle(lastTopicTitle).number;
  return open === heading.number || heading.certainty < 0.9;
}

/** A book scanned from its middle: the text needs a place, and its own words name it. */
function openWithoutHeading(page: PageStructure, { lastTopicTitle, page: number }: DecisionContext): PageDecision {
  const [heading] = page.headings.filter(({ text }) => text !== "");
  const subtopicTitle =
    heading !== undefined ? writeTitle(heading) : page.keyTerms.slice(0, 2).join(" and ") || `Page ${number}`;
  const topicTitle = lastTopicTitle ?? subtopicTitle;
  return {
    kind: "new",
    topicTitle,
    subtopicTitle,
    confidence: 0.3,
    reason: "nothing is open that the page could continue",
  };
}

function round(value: number): number {
  return Math.round(Math.min(1, Math.max(0, value)) * 100) / 100;
}
