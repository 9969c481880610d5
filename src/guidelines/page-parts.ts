/** What one page contributes to its subtopic, in the form in which it is stored: plain JSON, a few kilobytes at most. */
import type { Definition } from "./page-structure.ts";

export interface PageParts {
  page: number;
  headings: string[];
  definitions: Definition[];
  objectives: string[];
  examples: string[];
  exercises: string[];
  activities: string[];
  keyTerms: string[];
  /** The page's main sentences, in its order. */
  sentences: string[];
  /** For the decisions on the next pages (`recentEdges`). */
  edges: string[];
}
