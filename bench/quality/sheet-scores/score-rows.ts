/** Holds the rows read from a heat sheet against the list of those that are in it. Nobody's name leaves here. */
import type { SheetRow } from "./sheet-rows.ts";

export interface RowScore {
  listed: number;
  /** Rows of the list that were read: the same event, heat, lane or rank, and the same swimmer or team. */
  found: number;
  /** Those of them with every other field as listed. */
  right: number;
  /** Rows that were read and are not in the list. */
  extra: number;
  /** How often each field of a found row was another. */
  wrongFields: ReadonlyMap<string, number>;
}

export interface ScoreOptions {
  /** The text layer has lost letters f, and the list has ends of long names with the team. */
  losesLetters: boolean;
}

const places = ["event", "heat", "lane", "rank"];

export function scoreRows(listed: readonly SheetRow[], read: readonly SheetRow[], options: ScoreOptions): RowScore {
  const left = Map.groupBy(
    read.map((row) => comparable(row, options)),
    keyOf,
  );
  const wrongFields = new Map<string, number>();
  let found = 0;
  let right = 0;
  for (const row of listed.map((one) => comparable(one, options))) {
    const candidates = left.get(keyOf(row)) ?? [];
    const wrongOf = (one: SheetRow) => Object.keys(row).filter((field) => row[field] !== one[field]);
    const best = candidates.toSorted((one, other) => wrongOf(one).length - wrongOf(other).length)[0];
    if (!best) continue;
    candidates.splice(candidates.indexOf(best), 1);
    found++;
    const wrong = wrongOf(best);
    if (wrong.length === 0) right++;
    for (const field of wrong) wrongFields.set(field, (wrongFields.get(field) ?? 0) + 1);
  }
  return { listed: listed.length, found, right, extra: read.length - found, wrongFields };
}

function keyOf(row: SheetRow): string {
  // A relay has no name, and of a team there may be several.
  const who = row.name === "" ? `${row.team} ${row.relay}` : row.name;
  return [...places.map((place) => row[place] ?? ""), who].join("\t");
}

function comparable(row: SheetRow, { losesLetters }: ScoreOptions): SheetRow {
  // Where an accent stands apart from its letter, the lists have a space.
  const name = (row.name ?? "").replaceAll(" ", "");
  if (!losesLetters) return { ...row, name };
  const { team = "", event_name: event = "", ...rest } = row;
  const readable = (text: string) => text.replaceAll(/[f ]/g, "");
  return { ...rest, name: readable(name + team), event_name: readable(event) };
}
