/**
 * Titles as a decision writes them, with the number the book gives: "Chapter 3: Plants", "3.2 Roots". The number stays in
 * the title until names are refined, because the next page's decision counts on from it.
 */
import { foldWord } from "./fold-words.ts";
import type { Heading, HeadingRole } from "./page-structure.ts";
import { readDecimal, readOrdinal } from "./read-ordinal.ts";
import { sizeWordOf } from "./size-words.ts";
import { isStopWord } from "./stop-words.ts";

export interface TitleParts {
  role: HeadingRole;
  number: string | null;
  text: string;
}

const sizeNames: Partial<Record<HeadingRole, string>> = { unit: "Unit", chapter: "Chapter", lesson: "Lesson" };

export function writeTitle({ role, number, text }: Pick<Heading, "role" | "number" | "text">): string {
  if (number === null) return text;
  const name = sizeNames[role];
  if (name === undefined || number.includes(".")) return `${number} ${text}`.trim();
  return text === "" ? `${name} ${number}` : `${name} ${number}: ${text}`;
}

export function readTitle(title: string): TitleParts {
  const decimal = readDecimal(`${title} `);
  if (decimal !== null) return { role: "section", number: decimal.number, text: decimal.rest };
  const role = sizeWordOf(title);
  const sized = /^\S+ (\S+?)[:.]?(?: (.*))?$/.exec(title);
  const number = role === null || sized === null ? null : readOrdinal(sized[1] ?? "");
  if (role !== null && number !== null) return { role, number, text: sized?.[2] ?? "" };
  const simple = /^(\d{1,3})[.)]? (\D.*)$/.exec(title);
  if (simple !== null) return { role: "section", number: simple[1] ?? null, text: simple[2] ?? "" };
  return { role: "section", number: null, text: title };
}

/** Equal but for case, plurals, signs and a letter misread in a long word: "RC circuits" and "RL circuits" are two. */
export function isSameTitle(one: string, other: string): boolean {
  const [a, b] = [titleWords(one), titleWords(other)];
  if (a.length === 0 || a.length !== b.length) return false;
  return a.every((word, index) => isSameWord(word, b[index] ?? ""));
}

function titleWords(title: string): string[] {
  const words = (title.match(/[\p{L}\p{N}]+/gu) ?? []).map(foldWord);
  const long = words.filter((word) => word.length > 1 && !isStopWord(word));
  return long.length > 0 ? long : words;
}

function isSameWord(one: string, other: string): boolean {
  if (one === other) return true;
  if (one.length < 5 || Math.abs(one.length - other.length) > 1 || /\d/.test(one + other)) return false;
  let start = 0;
  while (start < one.length && one[start] === other[start]) start++;
  let end = 0;
  const shorter = Math.min(one.length, other.length);
  while (end < shorter - start && one.at(-1 - end) === other.at(-1 - end)) end++;
  return Math.max(one.length, other.length) - start - end <= 1;
}

/** Above 0 where a number comes after another: 2.10 after 2.9. */
export function compareNumbers(one: string, other: string): number {
  const [a, b] = [one.split("."), other.split(".")];
  for (let i = 0; i < Math.max(a.length, b.length); i++) {
    const [x = "0", y = "0"] = [a[i], b[i]];
    if (x === y) continue;
    const [n, m] = [Number(x), Number(y)];
    if (Number.isNaN(n) !== Number.isNaN(m)) return Number.isNaN(n) ? 1 : -1;
    return Number.isNaN(n) ? (x < y ? -1 : 1) : n - m;
  }
  return 0;
}
