/** Sets pages of a HY-TEK program for tests: furniture, and lines and rows in one or two columns of print. */
import type { PageText } from "../../src/layout/page.ts";
import { PageBuilder } from "./page-builder.ts";

/** Where HY-TEK sets the columns of a program with two columns of print; ages and seeds end at their place. */
const place = { lane: 29, name: 43, age: 146, team: 156, relay: 156, seed: 270, tag: 276 };
const lefts = [0, 292];
export const size = 7;
const letter = size / 2;

export type Line =
  | string
  | { header: "swimmers" | "teams" | "psych" | "psych teams" | "school" }
  | { lane: number | string; name?: string; age?: string; team?: string; relay?: string; seed?: string; tag?: string }
  | { members: string };

export interface PageSetting {
  session?: string;
  kind?: string;
  title?: string[];
  columns: Line[][];
}

export function setHytekPage({ session, kind = "Meet Program", title, columns }: PageSetting, number = 1): PageText {
  const page = new PageBuilder(612, 792);
  page.line(18, 34, "Springfield Pool - Site License HY-TEK's MEET MANAGER 8.0 - 5:26 PM 7/14/2025 Page 1", { size });
  const head = [...(title ?? ["Summer Open - 7/18/2025 to 7/20/2025"]), session ? `${kind} - ${session}` : kind];
  for (const [i, text] of head.entries()) page.line(200, 46 + 12 * i, text, { size });
  for (const [c, lines] of columns.entries()) {
    const left = lefts[c] ?? 0;
    // Rows of neighbouring columns do not stand on the same height.
    for (const [i, line] of lines.entries()) setLine(page, left, 100 + 11.5 * i + c * 4, line);
  }
  return page.build(number);
}

function setLine(page: PageBuilder, left: number, y: number, line: Line): void {
  const put = (x: number, text: string | undefined) => text && page.line(left + x, y, text, { size });
  const putRight = (x: number, text: string | undefined) => put(x - (text ?? "").length * letter, text);
  if (typeof line === "string") put(18, line);
  else if ("members" in line) put(place.name, line.members);
  else if ("header" in line) {
    const psych = line.header.startsWith("psych");
    if (!psych) put(18, "Lane");
    const teams = line.header.endsWith("teams");
    put(45, teams ? "Team" : "Name");
    if (teams) put(154, "Relay");
    else {
      putRight(place.age, line.header === "school" ? "Yr" : "Age");
      put(154, line.header === "school" ? "School" : "Team");
    }
    putRight(place.seed, "Seed Time");
  } else {
    putRight(place.lane + letter, String(line.lane));
    put(place.name, line.name);
    putRight(place.age, line.age);
    put(place.team, line.team);
    put(place.relay, line.relay);
    putRight(place.seed, line.seed);
    put(place.tag, line.tag);
  }
}

/** A row with all that a swimmer's has. */
export function swim(lane: number | string, name = "Reed, Ann", more: object = {}) {
  return { lane, name, age: "12", team: "OAK-PV", seed: "1:05.32", ...more };
}
