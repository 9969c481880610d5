/** Looks headings up in the book's own table of contents, which knows what is a chapter and what only looks like one. */
import { foldEdge } from "./find-furniture.ts";
import type { ContentsEntry, Heading } from "./page-structure.ts";
import { isSameTitle } from "./title-parts.ts";

/** Fewer entries are a piece of a table, by which nothing can be ruled out. */
const leastEntries = 5;

export function isUsable(contents: readonly ContentsEntry[]): boolean {
  return contents.length >= leastEntries;
}

/** The entry of a heading: by number and title, else by either where nothing speaks against it. */
export function findEntry(
  heading: Pick<Heading, "text" | "number">,
  contents: readonly ContentsEntry[],
  printedPage: number | null,
): ContentsEntry | null {
  const titled = contents.filter((entry) => heading.text !== "" && isEntryOf(entry, heading));
  const agreeing = titled.filter(
    (entry) => heading.number === null || entry.number === null || entry.number === heading.number,
  );
  const onPage = agreeing.find((entry) => printedPage !== null && entry.page === printedPage);
  if (onPage !== undefined) return onPage;
  if (agreeing.length > 0) return agreeing[0] ?? null;
  if (heading.number === null || heading.text !== "") return null;
  return contents.find((entry) => entry.number === heading.number) ?? null;
}

/** With the same number the beginning of a title is enough: long ones are broken over lines. */
function isEntryOf({ title, number }: ContentsEntry, heading: Pick<Heading, "text" | "number">): boolean {
  if (isSameTitle(title, heading.text)) return true;
  if (number === null || number !== heading.number) return false;
  const [one, other] = [foldEdge(title), foldEdge(heading.text)];
  return Math.min(one.length, other.length) >= 6 && (one.startsWith(other) || other.startsWith(one));
}

export function entryOfNumber(number: string, contents: readonly ContentsEntry[]): ContentsEntry | null {
  return contents.find((entry) => entry.number === number) ?? null;
}

/** The chapter (or the unit, where there is none) above another entry. */
export function chapterAbove(entry: ContentsEntry, contents: readonly ContentsEntry[]): ContentsEntry | null {
  return contents.slice(0, contents.indexOf(entry)).findLast((other) => other.level <= 2) ?? null;
}

/** How many pages an entry goes on for, until the next of its level or above; null where the table does not tell. */
export function pagesOf(entry: ContentsEntry, contents: readonly ContentsEntry[]): number | null {
  const next = contents
    .slice(contents.indexOf(entry) + 1)
    .find((other) => other.level <= entry.level && other.page !== null);
  if (next?.page == null || entry.page === null || next.page < entry.page) return null;
  return next.page - entry.page;
}
