/**
 * Finds the page number and the running heads at the edges of a page. One page cannot tell every running head from a
 * title; what it leaves in doubt is kept, and the decision compares it with the pages before.
 */
import { sizeWordOf } from "./size-words.ts";

export interface Furniture {
  /** Lines that are no text of the page. */
  lines: ReadonlySet<number>;
  printedPage: number | null;
  edges: string[];
}

const loneNumber = /^[-–—([|]? ?(?:p(?:age|\.)? ?)?(\d{1,4}|[ivxlc]{1,7}) ?[-–—)\]|]?(?: ?(?:\/|of) ?\d{1,4})?$/i;
const trailing = /^(.*\p{L}.*?)[ |–—]+(\d{1,4}|[ivxl]{1,6})$/u;
const leading = /^(\d{1,4}|[ivxl]{1,6}) *[|–—]? +(.*\p{L}.*)$/u;
const sectionMark = /^(?:\d{1,2}|[A-Z])(?:\.\d{1,2}){0,3}\.? +\p{L}/u;
/** Above this a leading number is of a page: books have fewer chapters. */
const mostChapters = 40;

export function findFurniture(lines: readonly string[]): Furniture {
  const filled = lines.flatMap((line, index) => (line === "" ? [] : [index]));
  const edge = [...new Set([...filled.slice(0, 2), ...filled.slice(-2)])];
  const found = new Set<number>();
  let printedPage: number | null = null;

  for (const index of edge) {
    const number = loneNumber.exec(lines[index] ?? "")?.[1];
    if (number === undefined || !isOutermost(index, filled, found)) continue;
    found.add(index);
    printedPage ??= pageValue(number);
  }
  for (const index of [filled.find((at) => !found.has(at)), filled.findLast((at) => !found.has(at))]) {
    if (index === undefined || found.has(index)) continue;
    const head = readRunningHead(lines, index, filled, printedPage);
    if (head === undefined) continue;
    found.add(index);
    printedPage ??= head.page;
  }
  return { lines: found, printedPage, edges: edge.map((index) => foldEdge(lines[index] ?? "")).filter(Boolean) };
}

/** Only page numbers may stand between it and the edge. */
function isOutermost(index: number, filled: readonly number[], found: ReadonlySet<number>): boolean {
  const at = filled.indexOf(index);
  const above = filled.slice(0, at).every((other) => found.has(other));
  return (
    above || filled.slice(at + 1).every((other) => found.has(other) || filled.indexOf(other) === filled.length - 1)
  );
}

/** The running head that a line is, with its page number where that is no roman one; undefined if it is text. */
function readRunningHead(
  lines: readonly string[],
  index: number,
  filled: readonly number[],
  printedPage: number | null,
): { page: number | null } | undefined {
  const line = lines[index] ?? "";
  if (line.length > 110 || /[.?!]$/.test(line)) return undefined;
  const isTop = index === filled[0] || index === filled[1];
  const apart = isTop ? lines[index + 1] === "" : lines[index - 1] === "";
  const behind = trailing.exec(line);
  if (behind !== null && !isBareSizeWord(behind[1] ?? "") && (apart || sectionMark.test(line))) {
    const page = pageValue(behind[2] ?? "");
    // "World War 2" on a page that has its number elsewhere is a title.
    return printedPage === null || printedPage === page ? { page } : undefined;
  }
  const before = leading.exec(line);
  const page = before === null ? null : pageValue(before[1] ?? "");
  if (before === null || page === null || !apart) return undefined;
  if (printedPage !== null && printedPage !== page) return undefined;
  const rest = before[2] ?? "";
  const next = lines.slice(index + 1).find((other) => other !== "") ?? "";
  const namesPlace = sizeWordOf(rest) !== null || sectionMark.test(rest);
  // Text that goes on below in the middle of a sentence was not begun by a title.
  const goesOn = isTop ? /^\p{Ll}/u.test(next) : true;
  return namesPlace || goesOn || page > mostChapters ? { page } : undefined;
}

/** "Chapter 3" ends with its own number. */
function isBareSizeWord(text: string): boolean {
  return sizeWordOf(text) !== null && !text.includes(" ");
}

function pageValue(text: string): number | null {
  return /^\d+$/.test(text) ? Number(text) : null;
}

/** Equal for the same running head on other pages. */
export function foldEdge(line: string): string {
  return line
    .toLowerCase()
    .replace(/^[\divxl]+(?= )|(?<= )[\divxl]+$/g, "")
    .replace(/[^\p{L}]+/gu, " ")
    .trim();
}
