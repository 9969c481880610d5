/** Rows of relays: the team with its letter, and below it up to two rows with two swimmers each. */
import type { Word } from "../../layout/page.ts";
import { boxAround, type Row } from "../group-rows.ts";
import type { RelayMember } from "../sheet.ts";
import { type EventSex, readGluedAge, readPlainAge } from "./read-age.ts";
import type { Edges } from "./read-header.ts";
import { readSeed } from "./read-seed.ts";

interface RelayRow {
  team: string;
  letter: string | null;
  seed: string | null;
  exhibition: boolean;
  standard: string | null;
}

/** Of the words behind the lane or rank. */
export function readRelayRow(words: readonly Word[], edges: Edges | null): RelayRow | null {
  const { before, ...seed } = readSeed(words);
  const team = [...before];
  const last = team.at(-1);
  const isLetter = last !== undefined && team.length > 1 && /^[A-Z]$/.test(last.text);
  // A one-letter end of a team's name stands left of the letters' column.
  const inColumn = edges?.relayLeft == null || (last?.box.x ?? 0) > edges.relayLeft - 10;
  const letter = isLetter && inColumn ? (team.pop()?.text ?? null) : null;
  // The sum of ages or the age group of a relay is no part of the team's name.
  if (team.length > 1 && /^[XMW]\d{2,3}\+?$/.test(team.at(-1)?.text ?? "")) team.pop();
  const name = team.map(({ text }) => text).join(" ");
  if (!/[\p{L}\d]/u.test(name) || (seed.seed === null && letter === null)) return null;
  return { team: name, letter, ...seed };
}

/** Members of a row below a team; empty where it is something else. `from` is the first leg of the row. */
export function readRelayMembers(row: Row, from: number, sex: EventSex): RelayMember[] {
  const words = row.words.filter(({ text }) => !/^_+$/.test(text));
  if (words.some(({ text }) => /\d[.:]\d/.test(text))) return [];
  const numbered = words.some(({ text }) => /^\d\)/.test(text));
  const groups = numbered ? splitAtNumbers(words) : splitAtAges(words, sex);
  const members = groups.flatMap((group, i) => {
    const leg = numbered ? Number(group[0]?.text[0]) : from + i;
    const member = readMember(group, sex, numbered);
    return member && leg >= 1 && leg <= 8 ? [{ ...member, leg }] : [];
  });
  return members.length === groups.length ? members : [];
}

function splitAtNumbers(words: readonly Word[]): Word[][] {
  const groups: Word[][] = [];
  for (const word of words) {
    if (/^\d\)/.test(word.text)) groups.push([word]);
    else groups.at(-1)?.push(word);
  }
  return groups;
}

/** A member ends with the age; where none is printed, the widest gap of the row parts the two. */
function splitAtAges(words: readonly Word[], sex: EventSex): Word[][] {
  const groups: Word[][] = [[]];
  for (const word of words) {
    if (groups.at(-1)?.length === 0 || !endsMember(groups.at(-1)?.at(-1), sex)) groups.at(-1)?.push(word);
    else groups.push([word]);
  }
  const [only, second] = groups;
  if (!only || second || endsMember(only.at(-1), sex)) return groups;
  const gaps = only.slice(1).map((word, i) => word.box.x - rightOf(only[i]));
  const widest = Math.max(...gaps);
  const at = gaps.indexOf(widest) + 1;
  return widest > 8 ? [only.slice(0, at), only.slice(at)] : groups;
}

const rightOf = (word: Word | undefined) => (word ? word.box.x + word.box.width : 0);

function endsMember(word: Word | undefined, sex: EventSex): boolean {
  return word !== undefined && (readPlainAge(word.text, "mixed", true) ?? readGluedAge(word.text, sex)) !== null;
}

/** A name has two words, unless the number of a leg says that it is one whose end was cut off. */
function readMember(words: readonly Word[], sex: EventSex, numbered: boolean): Omit<RelayMember, "leg"> | null {
  const texts = words.map(({ text }) => text);
  texts[0] = (texts[0] ?? "").replace(/^\d\)/, "");
  const last = texts.at(-1) ?? "";
  const age = texts.length > 1 ? (readPlainAge(last, "mixed", true) ?? readGluedAge(last, sex)) : null;
  if (age) texts.splice(-1, 1, age.name);
  const name = texts.filter((text) => text !== "").join(" ");
  if (!/\p{L}/u.test(name) || (!numbered && !/[,\s]/.test(name))) return null;
  return { name, age: age?.age ?? null, box: boxAround(words.map(({ box }) => box)) };
}
