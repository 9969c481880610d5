/**
 * Who decides what a page is about and writes the guidelines: a model, or rules that quote the book. Both see the same and
 * give the same, so that everything behind them is the same too.
 */

import type { PageParts } from "../../guidelines/page-parts.ts";
import type { ContentsEntry } from "../../guidelines/page-structure.ts";
import type { CallContext } from "../../providers/call-context.ts";

export interface OpenSubtopic {
  id: string;
  topicTitle: string;
  subtopicTitle: string;
  summary: string;
  guidelines: string;
  keyTerms: string[];
  lastPage: number;
  /** How alike the page is to it, by their vectors; null where there are none. */
  similarity: number | null;
}

export interface PageInContext {
  page: number;
  text: string;
  book: { title: string; grade: string | null; subject: string | null; board: string | null };
  openSubtopics: OpenSubtopic[];
  /** Of the pages before, the latest last. */
  recentSummaries: string[];
  /** What stood at the edges of those pages: a running head is no title. */
  recentEdges: string[];
  contents: ContentsEntry[];
  lastTopicTitle: string | null;
}

export type Decision =
  | { kind: "skip"; reason: string }
  | { kind: "continue"; subtopicId: string; confidence: number; reason: string }
  | { kind: "new"; topicTitle: string; subtopicTitle: string; confidence: number; reason: string };

/** What is known of a page before it has a place. */
export interface ReadPage {
  summary: string;
  parts: PageParts;
  contents: ContentsEntry[];
  decision: Decision;
}

export interface WrittenSubtopic {
  /** 15 to 30 words. */
  summary: string;
  guidelines: string;
}

interface SubtopicName {
  topicTitle: string;
  subtopicTitle: string;
}

export interface NamedSubtopic extends SubtopicName {
  id: string;
  summary: string;
  guidelines: string;
  pages: number[];
  keyTerms: string[];
  vector: Float32Array | null;
}

export interface GuidelineAuthor {
  readonly provenance: "model" | "rules";
  read(page: PageInContext, call: CallContext): Promise<ReadPage>;
  /** The guidelines of a subtopic with one more page; `parts` are those of all its pages. */
  write(
    name: SubtopicName,
    before: WrittenSubtopic | null,
    page: PageInContext,
    parts: readonly PageParts[],
    call: CallContext,
  ): Promise<WrittenSubtopic>;
  refineName(subtopic: NamedSubtopic, parts: readonly PageParts[], call: CallContext): Promise<SubtopicName>;
  findDuplicates(subtopics: readonly NamedSubtopic[], call: CallContext): Promise<Duplicate[]>;
  /** Two that are the same, as one. */
  merge(
    keep: NamedSubtopic,
    drop: NamedSubtopic,
    parts: readonly PageParts[],
    call: CallContext,
  ): Promise<WrittenSubtopic>;
  summarise(subtopic: NamedSubtopic, parts: readonly PageParts[], call: CallContext): Promise<string>;
}

export interface Duplicate {
  keep: string;
  drop: string;
  reason: string;
}
