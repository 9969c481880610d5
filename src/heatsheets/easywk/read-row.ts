/** Reads one row of a heat in an EasyWk list: `Bahn 3 Muster, Mia 2010 SC Beispiel 01:12,34`. */
import type { Row } from "../group-rows.ts";
import type { SheetEntry, SheetEvent } from "../sheet.ts";

/** In points: years are centred below their heading. */
const headingSlack = 10;
const yearForm = /^(?:\d{4}|\d{2}|Offen|offen)$/;
const seedForm = /^(?:\d{1,2}:)?\d{1,2}[:,.]\d{2}(?:,\d{2})?$|^(?:NT|o\.\s?Z\.)$/;

type Fields = Pick<SheetEntry, "round" | "lane" | "name" | "age" | "team" | "seed" | "relay">;

export function readRow(row: Row, header: Row | undefined, event: SheetEvent | undefined): Fields | undefined {
  const [first, second, ...rest] = row.words;
  // Withdrawn swimmers stand there with `abgem.` instead of a lane: they do not swim.
  if (first?.text !== "Bahn" || !second || !/^\d{1,2}$/.test(second.text) || !event) return undefined;
  const yearsFrom = header?.words.find(({ text }) => text.startsWith("Jg"))?.box.x ?? 0;
  const year = rest.findIndex(({ text, box }) => yearForm.test(text) && box.x >= yearsFrom - headingSlack);
  if (year < 1) return undefined;
  const afterYear = rest.slice(year + 1).map(({ text }) => text);
  const seed = seedForm.test(afterYear.at(-1) ?? "") ? (afterYear.pop() ?? null) : null;
  const who = rest
    .slice(0, year)
    .map(({ text }) => text)
    .join(" ");
  return {
    round: /\(([^()]+)\)$/.exec(event.name)?.[1] ?? null,
    lane: Number(second.text),
    name: event.relay ? null : who,
    age: rest[year]?.text ?? null,
    team: afterYear.join(" ") || null,
    seed,
    relay: event.relay ? { letter: readTeamLetter(who), members: [] } : null,
  };
}

/** `2. Mannschaft (X)` and `Beispielstadt B` are second teams; X marks a mixed one. */
function readTeamLetter(team: string): string | null {
  const bare = team.replace(/ \(X\)$/, "");
  return /^(\d+)\./.exec(bare)?.[1] ?? / ([A-H]|\d)$/.exec(bare)?.[1] ?? null;
}
