/** Reads one row of a heat in a program of Colombia Acuática: `3 11M Name Surname club 7:02.39`. */
import { readSeconds } from "../read-seconds.ts";
import type { SheetEntry } from "../sheet.ts";

type Fields = Pick<SheetEntry, "lane" | "name" | "age" | "sex" | "team" | "seed" | "relay">;

/** Age and sex, or where categories have letters, the category and the sex: `11M`, `Iaf`. */
const groupForm = /^(?:(\d{1,2})|[A-Z][a-z]?)([MFXmf])$/;

export function readRow(text: string, relay: boolean): Fields | undefined {
  const [lane = "", ...rest] = text.split(" ");
  const seed = rest.at(-1) ?? "";
  if (!/^\d{1,2}$/.test(lane) || !(/^n\.?t\.?$/i.test(seed) || readSeconds(seed) !== undefined)) return undefined;
  const group = groupForm.exec(rest[0] ?? "");
  const who = rest.slice(group ? 1 : 0, -1);
  if (relay) return who.length === 0 ? undefined : { ...toTeam(who), lane: Number(lane), seed };
  const team = who.pop();
  if (who.length === 0 || team === undefined) return undefined;
  const letter = group?.[2]?.toUpperCase();
  return {
    lane: Number(lane),
    name: who.join(" "),
    age: group?.[1] ?? null,
    sex: letter === "M" ? "M" : letter === "F" ? "W" : null,
    team,
    seed,
    relay: null,
  };
}

function toTeam(words: readonly string[]): Pick<Fields, "name" | "age" | "sex" | "team" | "relay"> {
  const letter = words.length > 1 && /^[A-H]$/.test(words.at(-1) ?? "") ? (words.at(-1) ?? null) : null;
  const team = (letter === null ? words : words.slice(0, -1)).join(" ");
  return { name: null, age: null, sex: null, team, relay: { letter, members: [] } };
}
