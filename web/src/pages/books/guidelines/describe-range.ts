/** "p. 3–4", "p. 7", and nothing where no page is left. */
import type { Subtopic } from "../../../../../src/contract/books.ts";

export function describeRange({ source_page_start: first, source_page_end: last }: Subtopic): string {
  if (first === null) return "no pages";
  return last === null || last === first ? `p. ${first}` : `p. ${first}–${last}`;
}
