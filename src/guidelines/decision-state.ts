/** What the rules of a decision look at. */
import type { DecisionContext, OpenSubtopic, PageDecision } from "./decide-page.ts";
import type { Heading, PageStructure } from "./page-structure.ts";

export interface DecisionState {
  page: PageStructure;
  context: DecisionContext;
  /** Those that may open a subject, in order. */
  headings: readonly Heading[];
  open: OpenSubtopic | null;
  /** Of the page with the open subtopic. */
  cohesion: number;
}

export function begin(topicTitle: string, subtopicTitle: string, confidence: number, reason: string): PageDecision {
  const rounded = Math.round(Math.min(1, Math.max(0, confidence)) * 100) / 100;
  return { kind: "new", topicTitle, subtopicTitle, confidence: rounded, reason };
}

/** Of several that begin on a page the last goes on with the next page, unless it is a heading left alone at the foot. */
export function lastWithText(headings: readonly Heading[]): Heading | undefined {
  return headings.findLast(({ lines }) => lines >= 3) ?? headings.at(-1);
}
