/** A row of one swimmer: lane or rank, name, age, team, seed. Told apart by their columns, or by their looks where there are none. */
import type { Word } from "../../layout/page.ts";
import type { Row } from "../group-rows.ts";
import { type AgePart, type EventSex, readGluedAge, readPlainAge, readWovenAge } from "./read-age.ts";
import type { Edges, Header } from "./read-header.ts";
import { readSeed } from "./read-seed.ts";

interface LaneRow {
  name: string;
  age: string | null;
  sex: "M" | "W" | null;
  team: string | null;
  seed: string | null;
  exhibition: boolean;
  standard: string | null;
}

/** Values may stand a little left of their label. */
const slack = 3;
/** Names start up to 7 points left of their label; what ends this far left of it is of another column (numbers of licences). */
const widestIndent = 20;
/** How far the right end of an age may be from that of its label. */
const ageSlack = 6;

/** Of the words behind the lane or rank. Null where they are no swimmer. */
export function readLaneRow(
  words: readonly Word[],
  sex: EventSex,
  header: Header | null,
  edges: Edges | null,
): LaneRow | null {
  const { before, ...seed } = readSeed(words);
  const years = header?.years ?? false;
  const who = edges?.teamLeft != null ? splitByColumns(before, edges, sex, years) : splitByLooks(before, sex, years);
  if (!/\p{L}/u.test(who.name) || (seed.seed === null && who.age === null)) return null;
  return { ...who, ...seed };
}

type Who = Pick<LaneRow, "name" | "age" | "sex" | "team">;

function splitByColumns(words: readonly Word[], edges: Edges, sex: EventSex, years: boolean): Who {
  const { nameLeft, teamLeft, teamEnd, ageRight } = edges;
  const teamFrom = (teamLeft ?? 0) - slack;
  const teamTo = teamEnd === null ? Number.POSITIVE_INFINITY : teamEnd - slack;
  // A one-digit age may stand as far right as teams start; it still ends there.
  const isLeft = ({ box }: Word) => box.x < teamFrom || box.x + box.width <= teamFrom + slack + 1;
  const zone = words.filter((word) => isLeft(word) && word.box.x + word.box.width > nameLeft - widestIndent);
  const team = joinWords(words.filter((word) => !isLeft(word) && word.box.x < teamTo));
  const age = findAge(zone, ageRight, sex, years);
  const name = zone.map((word) => (word === age?.word ? age.part.name : word.text));
  return {
    name: toName(name),
    age: age?.part.age ?? null,
    sex: age?.part.sex ?? null,
    team: team === "" ? null : team,
  };
}

/** The age in the columns of name and age, which a long name shares with it. */
function findAge(zone: readonly Word[], ageRight: number | null, sex: EventSex, years: boolean) {
  const right = ({ box }: Word) => box.x + box.width;
  if (ageRight !== null) {
    const distance = (word: Word) => Math.abs(right(word) - ageRight);
    const near = zone.filter((word) => distance(word) <= ageSlack).sort((a, b) => distance(a) - distance(b));
    const spanning = zone.filter((word) => word.box.x < ageRight && right(word) > ageRight - ageSlack);
    const found =
      firstOf(near, (word) => readPlainAge(word.text, sex, years)) ??
      firstOf(near, (word) => readGluedAge(word.text, sex)) ??
      firstOf(spanning, (word) => readWovenAge(word.text, sex));
    if (found) return found;
  }
  return firstOf(zone.slice(1).slice(-1), (word) => readPlainAge(word.text, sex, false));
}

function firstOf(words: readonly Word[], read: (word: Word) => AgePart | null): { word: Word; part: AgePart } | null {
  for (const word of words) {
    const part = read(word);
    if (part) return { word, part };
  }
  return null;
}

/**
 * Names have a comma and no numbers behind it, so the first age after the comma is the swimmer's: "Heat 1 Lane 8, 16"
 * is sixteen. Without a comma it is the last one, for what stands behind the age is a team.
 */
function splitByLooks(words: readonly Word[], sex: EventSex, years: boolean): Who {
  const ages = words.map(({ text }, i) =>
    i === 0 ? null : (readPlainAge(text, sex, years) ?? (sex === "mixed" ? readGluedAge(text, sex) : null)),
  );
  const comma = words.findIndex(({ text }) => text.includes(","));
  if (comma >= 0 && !ages.some((part, i) => part !== null && i > comma)) weaveOut(words, ages, comma, sex);
  const afterComma = comma < 0 ? -1 : ages.findIndex((part, i) => part !== null && i > comma);
  const at = afterComma >= 0 ? afterComma : ages.findLastIndex((part) => part !== null);
  const part = ages[at];
  if (!part) {
    const team = words.length > 2 ? (words.at(-1)?.text ?? null) : null;
    return { name: toName(words.slice(0, team ? -1 : undefined).map(({ text }) => text)), age: null, sex: null, team };
  }
  const name = [...words.slice(0, at).map(({ text }) => text), part.name];
  const team = joinWords(words.slice(at + 1));
  return { name: toName(name), age: part.age, sex: part.sex, team: team === "" ? null : team };
}

/** Without an age behind the name it may run through its last word, which then has small letters before its first digit. */
function weaveOut(words: readonly Word[], ages: (AgePart | null)[], comma: number, sex: EventSex): void {
  const at = words.findIndex(({ text }, i) => i > comma && /^\p{Lu}\p{Ll}+[MW]?\p{Ll}*\d/u.test(text));
  if (at > 0) ages[at] = readWovenAge(words[at]?.text ?? "", sex);
}

/** Classes of para swimmers stand behind the name: they are no part of it. */
function toName(words: readonly string[]): string {
  const kept = words.filter((text) => text !== "");
  while (kept.length > 1 && /^S[BM]?\d{1,2}$/.test(kept.at(-1) ?? "")) kept.pop();
  return kept.join(" ");
}

function joinWords(words: readonly Word[]): string {
  return words.map(({ text }) => text).join(" ");
}

/** The lane or rank at the start of a row, null where it is left open ("--"); nothing where a row starts otherwise. */
export function readPlace(row: Row): { place: number | null; rest: Word[] } | null {
  const [first, ...rest] = row.words;
  if (first && /^\d{1,4}$/.test(first.text)) return { place: Number(first.text), rest: dropBlanks(rest) };
  if (first && /^-{2,}$/.test(first.text)) return { place: null, rest: dropBlanks(rest) };
  return null;
}

function dropBlanks(words: readonly Word[]): Word[] {
  return words.filter(({ text }) => !/^_+$/.test(text));
}
