/**
 * Tells whether a name that somebody asks for and a name on a heat sheet are of one swimmer. "same" is what may be taken
 * without asking; "near" is only good for "Did you mean …?".
 */
import { editDistance } from "./edit-distance.ts";
import { foldName, foldText, type NameParts } from "./fold-name.ts";
import { areNicknames, isNickname } from "./nicknames.ts";

export type NameMatch = "same" | "near" | "different";

export interface Wanted {
  name: string;
  /** What stands in brackets after the name, to tell namesakes apart: an age, or the beginning of a team. */
  qualifier: string | null;
}

export interface NameComparison {
  match: NameMatch;
  /** Surname and first name are the other way round than the order of words suggests. */
  reversed: boolean;
  /** Of names that are near: the smaller, the more alike. */
  distance: number;
}

/** What is compared of a name; worth keeping where one name is compared with many. */
export interface PreparedName {
  parts: NameParts;
  /** The ways to tell first names from surname, the likely ones first. */
  readings: Reading[];
  /** First letters of its words. */
  initials: string[];
  /** Without spaces and letters f: how a text layer that loses some of them still has it. */
  withoutF: string[];
  /** Long enough to have been cut where the column ends. */
  maybeCut: boolean;
}

interface Reading {
  given: string[];
  /** Surname without spaces: "van der Berg" and "Vander Berg" are one. */
  last: string;
  lastWords: string[];
  reversed: boolean;
}

/** HY-TEK cuts no name that is shorter. */
const shortestCut = 16;
const different: NameComparison = { match: "different", reversed: false, distance: Number.POSITIVE_INFINITY };

export function parseWanted(wanted: string): Wanted {
  const [, name = wanted, qualifier = ""] = /^([^()[\]]*)[([]([^()[\]]*)[)\]]\s*$/.exec(wanted) ?? [];
  return { name: name.trim(), qualifier: qualifier.trim() || null };
}

/**
 * One key for all ways to write one request: "Doe, Jané", "jane  doe" and "Jane Doe*" share it. What is in brackets is
 * part of it, for it decides whose swims are found.
 */
export function swimmerKey(name: string): string {
  const wanted = parseWanted(name);
  const { given, last, suffix } = foldName(wanted.name);
  const words = [...given, ...last, ...(suffix === null ? [] : [suffix])].join(" ");
  return wanted.qualifier === null ? words : `${words} (${foldText(wanted.qualifier).replace(/\s+/g, " ")})`;
}

export function matchName(wanted: string, printed: string): NameMatch {
  return compareNames(prepareName(parseWanted(wanted).name), prepareName(printed)).match;
}

export function prepareName(name: string): PreparedName {
  const parts = foldName(name);
  const readings = listReadings(parts);
  return {
    parts,
    readings,
    initials: [...parts.given, ...parts.last].map((word) => word.charAt(0)),
    withoutF: readings.map(({ given, last }) => `${given.join("")}${last}`.replaceAll("f", "")),
    maybeCut: name.trim().length >= shortestCut,
  };
}

function listReadings({ given, last }: NameParts): Reading[] {
  if (last.length > 0) return [{ given, last: last.join(""), lastWords: last, reversed: false }];
  const cuts = given.slice(1).map((_word, index) => index + 1);
  const read = (first: string[], second: string[], reversed: boolean) => {
    return { given: first, last: second.join(""), lastWords: second, reversed };
  };
  return [
    ...cuts.toReversed().map((cut) => read(given.slice(0, cut), given.slice(cut), false)),
    ...cuts.map((cut) => read(given.slice(cut), given.slice(0, cut), true)),
  ];
}

export function compareNames(wanted: PreparedName, printed: PreparedName): NameComparison {
  if (!printed.initials.some((letter) => wanted.initials.includes(letter))) return different;
  if (wanted.readings.length === 0 || printed.readings.length === 0) return compareSingleWords(wanted, printed);
  let best = different;
  for (const one of wanted.readings) {
    for (const other of printed.readings) {
      // Two names that are both turned round are in the same order.
      if (one.reversed && other.reversed) continue;
      const reversed = one.reversed || other.reversed;
      const found = compareReadings(one, other, { reversed, maybeCut: printed.maybeCut });
      if (isBetter(found, best)) best = found;
    }
  }
  if (best.match === "same" && conflict(wanted.parts.suffix, printed.parts.suffix)) {
    return { ...best, match: "near", distance: 1 };
  }
  if (best.match === "different" && losesF(wanted, printed)) return { match: "near", reversed: false, distance: 1 };
  return best;
}

function isBetter(one: NameComparison, other: NameComparison): boolean {
  const order: NameMatch[] = ["same", "near", "different"];
  const [a, b] = [order.indexOf(one.match), order.indexOf(other.match)];
  if (a !== b) return a < b;
  return one.distance < other.distance || (one.distance === other.distance && !one.reversed && other.reversed);
}

/** A word alone is a surname, or a first name, of many. */
function compareSingleWords(wanted: PreparedName, printed: PreparedName): NameComparison {
  const [one, other] = [wanted, printed].map(({ parts }) => [...parts.given, ...parts.last]);
  if (!one?.length || !other?.length) return different;
  if (one.length === 1 && other.length === 1) {
    const distance = nearDistance(one.join(""), other.join(""));
    if (distance === 0) return { match: "same", reversed: false, distance };
    return distance === undefined ? different : { match: "near", reversed: false, distance };
  }
  const [alone = ""] = one.length === 1 ? one : other;
  const { readings } = one.length === 1 ? printed : wanted;
  const isPart = readings.some(({ last, given }) => last === alone || given[0] === alone);
  return isPart ? { match: "near", reversed: false, distance: 3 } : different;
}

function compareReadings(
  wanted: Reading,
  printed: Reading,
  { reversed, maybeCut }: { reversed: boolean; maybeCut: boolean },
): NameComparison {
  const near = (distance: number): NameComparison => ({ match: "near", reversed, distance });
  const first = compareGiven(wanted.given, printed.given, { reversed, maybeCut });
  if (wanted.last === printed.last) {
    if (first !== undefined) return first === 0 ? { match: "same", reversed, distance: 0 } : near(first);
  }
  if (reversed) return different;
  if (first !== undefined && first <= 0.5 && sharesWords(wanted.lastWords, printed.lastWords)) return near(first + 1.5);
  const distance = nearDistance(`${wanted.given[0] ?? ""} ${wanted.last}`, `${printed.given[0] ?? ""} ${printed.last}`);
  return distance === undefined ? different : near(distance);
}

/** 0 for first names that may be one person's, more the less alike they are, undefined for others. */
function compareGiven(
  wanted: string[],
  printed: string[],
  { reversed, maybeCut }: { reversed: boolean; maybeCut: boolean },
): number | undefined {
  const [wantedWhole, printedWhole] = [wanted.join(""), printed.join("")];
  if (wantedWhole === printedWhole) return 0;
  const [one = "", ...ones] = wanted;
  const [other = "", ...others] = printed;
  if (one === other) {
    const lacking = ones.length === 0 ? others : others.length === 0 ? ones : [];
    // With the surname in front nothing but an initial is surely a middle name: "Lee Anna Smith" is not Anna Lee.
    if (reversed && lacking.some((word) => word.length > 1)) return undefined;
    return ones.every((word, index) => isSameMiddle(word, others[index])) ? 0 : 0.5;
  }
  if (reversed) return undefined;
  if (maybeCut && printedWhole.length >= 3 && wantedWhole.startsWith(printedWhole)) {
    return isNickname(printedWhole) ? 1 : 0;
  }
  const begins = one.startsWith(other) || other.startsWith(one);
  if (begins && (Math.min(one.length, other.length) >= 3 || one.length === 1 || other.length === 1)) return 1;
  if (areNicknames(one, other)) return 1;
  return nearDistance(one, other);
}

function isSameMiddle(one: string, other: string | undefined): boolean {
  if (other === undefined || one === other) return true;
  return (one.length === 1 || other.length === 1) && one.charAt(0) === other.charAt(0);
}

function conflict(one: string | null, other: string | null): boolean {
  return one !== null && other !== null && one !== other;
}

/** Whether one surname is the other with more to it: "Garcia" and "Garcia Lopez". */
function sharesWords(one: string[], other: string[]): boolean {
  const [few, many] = one.length < other.length ? [one, other] : [other, one];
  return few.length < many.length && few.every((word) => word.length > 2 && many.includes(word));
}

/** Undefined where it takes more changes than a slip of the hand. */
function nearDistance(one: string, other: string): number | undefined {
  const length = Math.min(one.length, other.length);
  const most = length >= 10 ? 2 : length >= 4 ? 1 : 0;
  return editDistance(one, other, most);
}

function losesF(wanted: PreparedName, printed: PreparedName): boolean {
  return wanted.withoutF.some((whole) => whole.length >= 4 && printed.withoutF.includes(whole));
}
