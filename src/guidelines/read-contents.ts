/** Reads a page as a table of contents: titles with their numbers and pages, through dots that OCR took for anything. */
import type { ContentsEntry } from "./page-structure.ts";
import { readDecimal, readOrdinal } from "./read-ordinal.ts";
import { sizeWordOf } from "./size-words.ts";

export interface ContentsReading {
  isContents: boolean;
  entries: ContentsEntry[];
}

const announcement =
  /^(?:(?:table|list) of )?contents?\b|^(?:detailed |brief )?contents$|^inhalt(?:sverzeichnis)?\b|^table des matières|^sommaire\b|^contenidos?\b|\bcontents(?: [ivxl\d]+)?$|\binhaltsverzeichnis$/i;
const leaders = /(?:[.·…_‥,:;-]\s?){3,}|\s[.·…]\s?[.·…]|\s…\s/;
/** Tables of contents that were recognised as lists are indented by their depth. */
const listed = /^(\s*)[-*•] (?=\S)/;
const pageAtEnd = /^(.*?\p{L}.*?)[\s.·…_‥,:;-]+((?:\d|[lIO](?=[\dlIO]*\d)){1,4}|\d[\dlIO]{0,3}|[ivxl]{1,6})$/u;

interface Row {
  title: string;
  page: number | null;
  led: boolean;
  /** Of the entry in a list, from 0. */
  depth: number | null;
}

/** `printed` are the lines as they came, for their indents. */
export function readContents(lines: readonly string[], printed: readonly string[]): ContentsReading {
  const filled = lines.flatMap((line, index) => (line === "" ? [] : [mark(line, printed[index] ?? "")]));
  const announced = filled.slice(0, 4).some((line) => line.length < 50 && announcement.test(line));
  const body = filled.filter((line) => !(line.length < 50 && announcement.test(line)) && /\p{L}/u.test(line));
  const rows = body.map(readRow).filter((row) => row !== null);
  const paged = rows.filter((row) => row.page !== null);
  const led = rows.filter((row) => row.led && row.page !== null).length;
  const isContents =
    (announced && (paged.length >= 2 || rows.filter((row) => isNumbered(row.title)).length >= 4)) ||
    (led >= 5 && led >= body.length * 0.3) ||
    (paged.length >= 6 && paged.length >= body.length * 0.6 && risesMostly(paged) && !looksAlphabetical(paged));
  if (!isContents) return { isContents: false, entries: [] };
  return { isContents: true, entries: levelRows(paged.length >= 2 ? paged : rows) };
}

/** The line with the indent of its list kept before it. */
function mark(line: string, printed: string): string {
  const indent = listed.exec(printed)?.[1];
  return indent === undefined ? line : `${" ".repeat(indent.length)}- ${line.replace(/^[-*•] /, "")}`;
}

function readRow(marked: string): Row | null {
  if (marked.length > 260) return null;
  const marker = listed.exec(marked);
  const depth = marker === null ? null : Math.floor((marker[1] ?? "").length / 2);
  const line = marker === null ? marked : marked.slice(marker[0].length);
  const match = pageAtEnd.exec(line);
  const led = leaders.test(line);
  const title = cutLeaders(match?.[1] ?? line);
  if (title.length < 2 || title.length > 120) return null;
  const printed = match?.[2] ?? "";
  const digits = printed.replace(/[lI]/g, "1").replace(/O/g, "0");
  return { title, page: /^\d+$/.test(digits) ? Number(digits) : null, led, depth };
}

function cutLeaders(text: string): string {
  return text
    .replace(/(?:\s*[.·…_‥]\s?){2,}.*$/, "")
    .replace(/[\s.·…_‥,:;-]+$/, "")
    .trim();
}

/** An index has its pages in any order. */
function risesMostly(rows: readonly Row[]): boolean {
  let rises = 0;
  for (let i = 1; i < rows.length; i++) if ((rows[i]?.page ?? 0) >= (rows[i - 1]?.page ?? 0)) rises++;
  return rises >= (rows.length - 1) * 0.85;
}

function looksAlphabetical(rows: readonly Row[]): boolean {
  const firsts = rows.map(({ title }) => title.toLowerCase());
  let ordered = 0;
  for (let i = 1; i < firsts.length; i++) if ((firsts[i] ?? "") >= (firsts[i - 1] ?? "")) ordered++;
  return ordered >= (firsts.length - 1) * 0.95;
}

function isNumbered(title: string): boolean {
  return /^\d/.test(title) || sizeWordOf(title) !== null;
}

/** Numbers and size words say how deep an entry is; where there are none, chapters are the rows that have no dots. */
function levelRows(rows: readonly Row[]): ContentsEntry[] {
  const isMixed = rows.some((row) => row.led) && rows.some((row) => !row.led);
  const read = rows.map((row) => ({ ...readTitle(row.title), page: row.page, led: row.led, depth: row.depth }));
  const hasNumbered = read.filter((entry) => entry.rank !== null).length > read.length / 2;
  const isDense = sharedPages(rows) > 0.3;
  return read.map(({ title, number, page, rank, led, depth }) => {
    const unnumbered = isMixed ? (led ? 3 : 2) : hasNumbered || isDense ? 3 : 2;
    return { title, number, page, level: rank ?? Math.max(unnumbered, 2 + (depth ?? 0)) };
  });
}

/** Chapters hardly ever begin on the page where the one before began. */
function sharedPages(rows: readonly Row[]): number {
  let shared = 0;
  for (let i = 1; i < rows.length; i++) if (rows[i]?.page !== null && rows[i]?.page === rows[i - 1]?.page) shared++;
  return rows.length < 2 ? 0 : shared / (rows.length - 1);
}

/** `rank` 1 is a unit, 2 a chapter, 3 a lesson or section, as headings are ranked. */
function readTitle(text: string): { title: string; number: string | null; rank: number | null } {
  const decimal = readDecimal(text);
  if (decimal !== null && decimal.rest !== "") {
    return { title: decimal.rest, number: decimal.number, rank: decimal.number.split(".").length + 1 };
  }
  const role = sizeWordOf(text);
  const sized = /^\S+ ?[-–—:.]? ?(\S+?)[-–—:.]?(?: [-–—:.|]? ?|$)(.*)$/.exec(text);
  const sizedNumber = sized === null ? null : readOrdinal(sized[1] ?? "");
  if (role !== null && sized !== null && sizedNumber !== null) {
    const rank = role === "unit" ? 1 : role === "chapter" ? 2 : 3;
    return { title: sized[2] === "" ? text : (sized[2] ?? text), number: sizedNumber, rank };
  }
  const simple = /^(\d{1,2}|[IVX]{1,5}|[A-Z])[.)]? +(.*)$/.exec(text);
  if (simple?.[2] !== undefined) {
    const isLetter = /^[A-HJ-UWYZ]$/.test(simple[1] ?? "");
    const number = isLetter ? (simple[1] ?? null) : readOrdinal(simple[1] ?? "");
    const isArticle = simple[1] === "A" && !/^\p{Lu}/u.test(simple[2]);
    if (number !== null && !isArticle && /^\p{L}/u.test(simple[2]))
      return { title: simple[2], number, rank: /^[IVX]/.test(simple[1] ?? "") ? 1 : 2 };
  }
  return { title: text, number: null, rank: null };
}
