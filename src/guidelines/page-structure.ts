/** What the text of one textbook page is made of: its headings, what stands under them, and the words it is about. */

export type HeadingRole = "unit" | "chapter" | "lesson" | "section" | "exercise" | "other";

/** Blank, contents and matter (title page, imprint, index …) teach nothing. */
export type PageKind = "content" | "contents" | "blank" | "matter";

export interface Heading {
  /** Without its number: "Plants" of "Chapter 3: Plants". Empty where the page gives no more than the number. */
  text: string;
  /** 1 unit, 2 chapter, 3 lesson or section, deeper below; what labels an exercise or an activity is 6. */
  level: number;
  /** As digits: "3", "1.2", or "A.1" in an appendix. */
  number: string | null;
  role: HeadingRole;
  /** In the lines of the text, from 0. */
  line: number;
  /** 0 to 1: a numbered chapter is 1, a short line between blank lines about 0.5. */
  certainty: number;
  /** Nothing but page numbers and running heads stands above it. */
  top: boolean;
  /** Learning objectives follow: what begins here is taught as a piece. */
  hasObjectives: boolean;
  /** Lines of text below it, up to the next heading of its level or above, or the end of the page. */
  lines: number;
}

export interface ContentsEntry {
  title: string;
  /** As of headings: 1 unit, 2 chapter, 3 lesson or section, deeper below. */
  level: number;
  number: string | null;
  page: number | null;
}

export interface Definition {
  term: string;
  /** The sentence that defines it, as printed. */
  text: string;
}

export interface PageStructure {
  kind: PageKind;
  headings: Heading[];
  contents: ContentsEntry[];
  definitions: Definition[];
  objectives: string[];
  examples: string[];
  exercises: string[];
  activities: string[];
  /** Best first, at most 12. */
  keyTerms: string[];
  sentences: string[];
  /** The number printed on the page, where one was found. */
  printedPage: number | null;
  /** First and last lines without their numbers: what returns here page after page is a running head. */
  edges: string[];
}
