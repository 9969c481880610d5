/** Words that say how large a piece of a book a heading opens: unit, chapter, lesson … also with a letter misread. */
import type { HeadingRole } from "./page-structure.ts";

const roles: Record<string, HeadingRole> = {
  unit: "unit",
  part: "unit",
  module: "unit",
  theme: "unit",
  strand: "unit",
  block: "unit",
  teil: "unit",
  partie: "unit",
  chapter: "chapter",
  kapitel: "chapter",
  chapitre: "chapter",
  capítulo: "chapter",
  capitulo: "chapter",
  topic: "chapter",
  appendix: "chapter",
  annex: "chapter",
  anhang: "chapter",
  lesson: "lesson",
  lektion: "lesson",
  leçon: "lesson",
  lección: "lesson",
  session: "lesson",
  period: "lesson",
  section: "section",
  subtopic: "section",
  abschnitt: "section",
  subsection: "other",
  exercise: "exercise",
  exercises: "exercise",
  questions: "exercise",
  problems: "exercise",
  quiz: "exercise",
  test: "exercise",
  practice: "exercise",
  worksheet: "exercise",
  homework: "exercise",
  assessment: "exercise",
  revision: "exercise",
  activity: "other",
  experiment: "other",
  investigation: "other",
  project: "other",
  example: "other",
  figure: "other",
  table: "other",
  step: "other",
  definition: "other",
  theorem: "other",
  lemma: "other",
};
const misreadable = Object.keys(roles).filter((word) => word.length >= 6);
const letters: Record<string, string> = { "0": "o", "1": "i", "|": "i", "!": "i", "5": "s", "8": "b" };

/** The role that the first word of a line has, or null. */
export function sizeWordOf(line: string): HeadingRole | null {
  const first = /^[\p{L}\d|!]{4,11}/u.exec(line)?.[0]?.toLowerCase();
  if (first === undefined) return null;
  const exact = roles[first];
  if (exact !== undefined) return exact;
  const read = first.replace(/[01|!58]/g, (sign) => letters[sign] ?? sign);
  const mended = roles[read] ?? roles[read.replace("i", "l")];
  if (mended !== undefined && /\p{L}{2}/u.test(first)) return mended;
  const near = misreadable.find((word) => differsByOne(word, read));
  return near === undefined ? null : (roles[near] ?? null);
}

/** Of the same length, one letter other: how OCR errs within a word. */
function differsByOne(word: string, other: string): boolean {
  if (word.length !== other.length) return false;
  let slips = 0;
  for (let i = 0; i < word.length; i++) if (word[i] !== other[i]) slips++;
  return slips === 1;
}
