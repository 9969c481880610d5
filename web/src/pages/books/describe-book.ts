/** What a book is, in a line. */
import type { Book } from "../../../../src/contract/books.ts";

/** "Grade 5", and a grade that has its own word as it is. */
function describeGrade(grade: string): string {
  return /^\d+$/.test(grade) ? `Grade ${grade}` : grade;
}

/** "Greta Halloway · Grade 5 · Science · CBSE", as far as it is known. */
export function describeBook({ author, grade, subject, board }: Book): string {
  return [author, grade && describeGrade(grade), subject, board].filter(Boolean).join(" · ");
}
