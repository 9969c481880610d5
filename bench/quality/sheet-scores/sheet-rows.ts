/** The rows of a heat sheet as its list names their fields, so that what was read and what is there can be compared. */
import type { Sheet } from "../../../src/heatsheets/sheet.ts";
import { readCsv } from "../read-csv.ts";

export type SheetRow = Readonly<Record<string, string>>;

/** A list of all rows, by the names in its first line. */
export function readSheetList(csv: string): SheetRow[] {
  const lines = [...Map.groupBy(readCsv(csv), ({ row }) => row).values()];
  const [header = [], ...rows] = lines.map((cells) => cells.map(({ text }) => text));
  return rows.map((row) => Object.fromEntries(header.map((name, column) => [name, row[column] ?? ""])));
}

export function listSheetRows({ events, entries }: Sheet): SheetRow[] {
  return entries.map((entry) => {
    const fields = {
      event: events[entry.event]?.number,
      event_name: events[entry.event]?.name,
      round: entry.round,
      heat: entry.heat,
      heats: entry.totalHeats,
      block_heat: entry.blockHeat,
      starts_at: entry.heatStart,
      lane: entry.lane,
      rank: entry.rank,
      name: entry.name,
      age: entry.age,
      birth_year: entry.age,
      team: entry.team,
      relay: entry.relay?.letter,
      seed: `${entry.exhibition ? "X" : ""}${entry.seed ?? ""}`,
      standard: entry.standard,
      page: entry.page,
    };
    return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, String(value ?? "")]));
  });
}
