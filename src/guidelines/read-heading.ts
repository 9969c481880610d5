/** Reads one line as a heading, with the lines around it as witnesses, or says that it is none. */
import { contentWords } from "./fold-words.ts";
import type { Heading, HeadingRole } from "./page-structure.ts";
import { readLabel } from "./read-label.ts";
import { readDecimal, readOrdinal } from "./read-ordinal.ts";
import { sizeWordOf } from "./size-words.ts";
import { isTitle, isTitleCase, isUpper } from "./title-shape.ts";

export interface LineInPlace {
  line: string;
  /** The neighbours, empty where a blank line, an edge or another heading stands between. */
  before: string;
  after: string;
  /** The next two lines with text. */
  following: readonly string[];
  /** No text stands above it. */
  top: boolean;
}

/** `taken`: how many further lines with text belong to it. */
export type FoundHeading = Omit<Heading, "line" | "top" | "hasObjectives" | "lines"> & { taken: number };

export function readHeading(place: LineInPlace): FoundHeading | null {
  if (place.line.length > 120) return null;
  return readSizeWord(place) ?? readNumbered(place) ?? readAnnouncement(place) ?? readUnnumbered(place);
}

function heading(role: HeadingRole, number: string | null, text: string, certainty: number, taken = 0): FoundHeading {
  return { text, number, role, level: levelOf(role, number), certainty, taken };
}

const sizeWord = /^([\p{L}\d|!]{4,11})(?: ?[-–—:.#]? ?(?:no\.? ?)?)(\S+)(?: ?[-–—:.|] ?| +|$)(.*)$/u;
const endOfSentence = /[.?!:"”’)]$/;

function readSizeWord({ line, before, after, following, top }: LineInPlace): FoundHeading | null {
  const role = sizeWordOf(line);
  if (role === null || /^(?:fig|tab|step|def|theo|lem)/i.test(line)) return null;
  const alone = readSplitNumber(role, line, following);
  if (alone !== null) return alone;
  const match = sizeWord.exec(line);
  const token = match?.[2] ?? "";
  const number = readDecimal(`${token} `)?.number ?? readOrdinal(token) ?? readLetter(line, token);
  if (match === null || number === null) return null;
  const text = (match[3] ?? "").replace(/^[-–—:.| ]+/, "");
  const separated = /[:.–—-]$/.test(token) || new RegExp(`${escapePattern(token)} ?[-–—:.|]`).test(line);
  if (text !== "" && !(isTitle(text) && (separated || !/^\p{Ll}/u.test(text)))) return null;
  // "… as we saw in / Chapter 3" breaks a sentence, not the book.
  if (before !== "" && !endOfSentence.test(before) && !isUpper(line)) return null;
  const certainty = before === "" || top ? 1 : 0.8;
  // The label stays with the text: it says what the lines below are.
  if (role === "exercise" || role === "other") return heading(role, number, line, certainty);
  if (text !== "") return heading(role, number, text, certainty);
  const [title = ""] = following;
  return isTitle(title) && !opensOther(title) && after.length < 90
    ? heading(role, number, title, certainty, 1)
    : heading(role, number, "", after === "" ? certainty : certainty - 0.3);
}

/** Appendices are lettered. */
function readLetter(line: string, token: string): string | null {
  return /^(?:appendix|annex|anhang)\b/i.test(line) ? (/^([A-Z])[.:]?$/.exec(token)?.[1] ?? null) : null;
}

/** "CHAPTER", "TWO" and the title in lines of their own. */
function readSplitNumber(role: HeadingRole, line: string, following: readonly string[]): FoundHeading | null {
  const [next = "", title = ""] = following;
  if (line.includes(" ") || next.includes(" ") || role === "other" || role === "exercise") return null;
  const number = readOrdinal(next);
  if (number === null) return null;
  return isTitle(title) && !opensOther(title) ? heading(role, number, title, 1, 2) : heading(role, number, "", 0.9, 1);
}

function opensOther(title: string): boolean {
  return readDecimal(title) !== null || (sizeWordOf(title) !== null && /\d/.test(title));
}

function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

const quantity = /^(?:%|°|mm|cm|m|km|g|kg|ml|l|s|h|hz|khz|mhz|v|mv|w|kw|a|ma|million|billion|percent|per|times|x)\b/i;

function readNumbered({ line, before, after, following, top }: LineInPlace): FoundHeading | null {
  const decimal = readDecimal(line);
  const apart = before === "" || endOfSentence.test(before);
  if (decimal !== null) {
    const { number, rest } = decimal;
    const depth = number.split(".").length;
    const titled =
      isTitle(rest) || (depth > 2 && before === "" && after === "" && /^[\p{L}]/u.test(rest) && rest.length < 70);
    if (
      !titled ||
      !apart ||
      quantity.test(rest) ||
      /^[\d.,]+(?: |$)/.test(rest) ||
      number.endsWith(".0") ||
      (!isTitle(rest) && /[.;]$/.test(rest))
    )
      return null;
    const label = readLabel(rest)?.label;
    const role = label === "exercise" ? "exercise" : "section";
    return { ...heading(role, number, rest, before === "" ? 0.95 : 0.75), level: depth + 1 };
  }
  const simple = /^([\dlI]{1,2})(\.?) +(.*)$/.exec(line);
  const number = simple === null ? null : readOrdinal(simple[1] ?? "");
  const rest = simple?.[3] ?? "";
  if (simple === null || number === null || before !== "" || after !== "" || !isTitle(rest) || /[?!]$/.test(rest))
    return null;
  // A list of questions or steps has its next number below.
  if (following.some((next) => readOrdinal(/^([\dlI]{1,2})[.) ]/.exec(next)?.[1] ?? "") === String(Number(number) + 1)))
    return null;
  const title = isTitleCase(rest) || isUpper(rest);
  if (simple[2] === "" && (top || title)) return heading("chapter", number, rest, top ? 0.8 : 0.6);
  return (title || top) && rest.split(" ").length <= 10 ? heading("section", number, rest, 0.5) : null;
}

/** Labels are headings of what they announce, never of a subject. */
function readAnnouncement({ line, before, after }: LineInPlace): FoundHeading | null {
  const found = readLabel(line);
  if (found === null || (found.rest !== "" && !isTitle(found.rest))) return null;
  const isAlone = before === "" || after === "" || endOfSentence.test(before);
  if (!isAlone || (line.split(" ").length > 8 && found.rest === "")) return null;
  return heading(found.label === "exercise" ? "exercise" : "other", null, line.replace(/[:.]+$/, ""), 0.8);
}

function readUnnumbered({ line, before, after, following, top }: LineInPlace): FoundHeading | null {
  if (before !== "" || !isTitle(line) || /^\(|^\d/.test(line) || contentWords(line).length === 0) return null;
  const words = line.split(" ").length;
  const upper = isUpper(line);
  const [next = ""] = following;
  if (after !== "" && !(upper && words >= 2)) return null;
  if (words > (upper ? 10 : 9) || line.length > 65) return null;
  // Words in a row of short lines are a list; under a title stands text, a list or another title.
  const overText =
    next.length >= 40 ||
    /^[-•*]|^\(?[\da-z][.)] /.test(next) ||
    isTitle(next) ||
    readLabel(next) !== null ||
    /^\p{Ll}+( \p{Ll}+)?$/u.test(next);
  if (!overText || next === "") return null;
  if (/!$/.test(line) || (/\b(?:is|are|was|were|has|have|can|will)\b/.test(line) && !/\?$/.test(line))) return null;
  const certainty = (upper ? 0.65 : isTitleCase(line) ? 0.5 : 0.4) + (top ? 0.15 : 0) - (next.length < 40 ? 0.1 : 0);
  return heading("section", null, line, certainty);
}

/** The level that a role gives where no number says more. */
function levelOf(role: HeadingRole, number: string | null): number {
  const depth = number === null ? 0 : number.split(".").length;
  switch (role) {
    case "unit":
      return 1;
    case "chapter":
      return 2;
    case "lesson":
      return 3;
    case "section":
      return depth > 1 ? depth + 1 : depth === 1 ? 3 : 4;
    case "exercise":
    case "other":
      return 6;
  }
}
