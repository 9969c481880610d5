/** Reads one row of a heat in a Splash list: `4 MUSTER Mia 10 SC Beispiel 1:12.34`. */
import type { Word } from "../../layout/page.ts";
import { boxAround, type Row } from "../group-rows.ts";
import { readSeconds } from "../read-seconds.ts";
import type { RelayMember, SheetEntry } from "../sheet.ts";
import { splitAtGaps } from "./split-at-gaps.ts";

/** Two digits, seldom four; lists of masters have the age group instead ("65+"). */
const yearForm = /^(?:\d{2}|(?:19|20)\d{2}|\d{2}\+)$/;
/** Out of competition, in the words of the federations. */
const exhibitionForm = /^(?:HC|EXH|PK|BM|OOC|a\.?K\.?)$/;
/** Marks before a name or a club, like `(Tk)`. */
const tagForm = /^\(\p{L}{1,3}\)$/u;
const codeForm = /^(?:\d{1,3}|[A-Z]{1,3})$/;

type Fields = Pick<SheetEntry, "lane" | "name" | "age" | "team" | "seed" | "exhibition" | "relay">;

export function readRow(row: Row, relay: boolean): Fields | undefined {
  const [first, ...others] = row.words;
  if (!first || !/^\d{1,2}$/.test(first.text)) return undefined;
  const exhibition = others.some(({ text }, i) => i > 0 && exhibitionForm.test(text));
  const rest = others.filter(({ text }, i) => !tagForm.test(text) && !(i > 0 && exhibitionForm.test(text)));
  const seedAt = rest.findLastIndex(({ text }) => isSeed(text));
  const seed = rest[seedAt]?.text ?? null;
  const before = seedAt === -1 ? rest : rest.slice(0, seedAt);
  const who = relay ? readTeam(before) : readSwimmer(before);
  return who && { lane: Number(first.text), seed, exhibition, ...who };
}

function readSwimmer(words: readonly Word[]): Pick<Fields, "name" | "age" | "team" | "relay"> | undefined {
  const year = words.findIndex(({ text }, i) => i > 0 && yearForm.test(text));
  if (year === -1) {
    // Where no year is known, only the gap parts the name from the club.
    const [name = [], ...team] = splitAtGaps(words);
    if (name.length === 0) return undefined;
    return { name: join(name), age: null, team: join(team.flat()) || null, relay: null };
  }
  const [club = [], ...more] = splitAtGaps(words.slice(year + 1));
  const team = [club, ...more.filter((cell) => !cell.every(({ text }) => codeForm.test(text)))].flat();
  return { name: join(words.slice(0, year)), age: words[year]?.text ?? null, team: join(team) || null, relay: null };
}

/** The club and, where it has several teams, the number of this one. */
function readTeam(words: readonly Word[]): Pick<Fields, "name" | "age" | "team" | "relay"> | undefined {
  if (words.length === 0) return undefined;
  const letter = words.length > 1 && /^(?:\d|[A-H])$/.test(words.at(-1)?.text ?? "") ? words.at(-1)?.text : undefined;
  const team = letter === undefined ? words : words.slice(0, -1);
  return { name: null, age: null, team: join(team), relay: { letter: letter ?? null, members: [] } };
}

/** Swimmers of a relay, each with the year of birth behind the name. */
export function readMembers(row: Row): Omit<RelayMember, "leg">[] {
  const members: Omit<RelayMember, "leg">[] = [];
  let name: Word[] = [];
  for (const word of row.words) {
    const bare = word.text.replace(/,$/, "");
    if (!yearForm.test(bare)) name.push(word);
    else if (name.length > 0) {
      members.push({ name: join(name), age: bare, box: boxAround([...name, word].map(({ box }) => box)) });
      name = [];
    }
  }
  return members;
}

const isSeed = (text: string) => /^(?:NT|n\.?t\.?)$/i.test(text) || readSeconds(text) !== undefined;
const join = (words: readonly Word[]) => words.map(({ text }) => text).join(" ");
