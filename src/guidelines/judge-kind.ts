/** Tells pages that teach from those that do not: blank ones, tables of contents, title pages, imprints, indexes. */
import { wordsOf } from "./fold-words.ts";
import type { Heading, PageKind } from "./page-structure.ts";

export interface KindFacts {
  /** Without page numbers and running heads. */
  lines: readonly string[];
  isContents: boolean;
  headings: readonly Heading[];
  sentences: number;
}

const imprint = [
  /©|\(c\) ?(?:19|20)\d\d|\bcopyright\b/i,
  /\bISBN\b/i,
  /\ball rights reserved\b/i,
  /\b(?:first )?published (?:by|in)\b|\bpublisher/i,
  /\b(?:printed|typeset|distributed) (?:in|by|and bound)\b/i,
  /\blicen[sc]ed? under\b|\bcreative commons\b|\bpermission (?:is|to)\b/i,
  /\bno part of this (?:book|publication)\b/i,
];
const matterTitle =
  /^(?:preface|foreword|acknowledge?ments?|dedication|about (?:the|this) (?:authors?|book|series|publisher)|imprint|copyright|colophon|index|subject index|bibliography|references|answers?(?: key| to .*)?|list of (?:figures|tables|illustrations|abbreviations)|contributors|author biography|stichwortverzeichnis|literaturverzeichnis|vorwort|impressum)$/i;
const indexRow = /\p{L}.*(?:,|[.·…]{2}| )\s?\d{1,4}(?:[–-]\d{1,4})?(?:, ?\d{1,4}(?:[–-]\d{1,4})?)*$/u;

export function judgeKind({ lines, isContents, headings, sentences }: KindFacts): PageKind {
  const filled = lines.filter((line) => line !== "");
  const text = filled.join(" ");
  const words = wordsOf(text).filter((word) => word.length > 1).length;
  if (words < 4 && !headings.some(({ number }) => number !== null)) return "blank";
  if (isContents) return "contents";
  const opens = headings.some(({ number, role }) => number !== null && role !== "other" && role !== "exercise");
  if (opens) return "content";
  const [first = "", second = ""] = filled;
  if ([first, second].some((line) => matterTitle.test(line.replace(/[:.]$/, "")))) return "matter";
  if (imprint.filter((pattern) => pattern.test(text)).length >= 2 && words < 500) return "matter";
  if (isIndex(filled)) return "matter";
  // A title page: a few lines of names, and no sentence.
  return words < 40 && sentences === 0 && filled.length <= 14 && !filled.some((line) => /[?:]$|^[-•\d]/.test(line))
    ? "matter"
    : "content";
}

function isIndex(filled: readonly string[]): boolean {
  if (filled.length < 10) return false;
  const rows = filled.filter((line) => line.length < 70 && indexRow.test(line) && !/[.?!]$/.test(line)).length;
  return rows >= filled.length * 0.6;
}
