import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findSwimmer } from "../../src/heatsheets/find-swimmer.ts";
import { parseSheet } from "../../src/heatsheets/parse-sheet.ts";
import type { Sheet } from "../../src/heatsheets/sheet.ts";
import { writeEasyWk } from "../support/sheets/easywk-list.ts";
import { type ProgramOptions, writeHytekProgram } from "../support/sheets/hytek-program.ts";
import { type PsychOptions, writeHytekPsych } from "../support/sheets/hytek-psych.ts";
import { type Meet, makeMeet } from "../support/sheets/make-meet.ts";
import {
  writeResults,
  writeSessionReport,
  writeUnknownLayout,
  writeWarmupDecoy,
} from "../support/sheets/other-documents.ts";
import { listedName } from "../support/sheets/people.ts";
import { createRandom } from "../support/sheets/random.ts";
import { readSheetPages } from "../support/sheets/read-sheet-pages.ts";
import { type MadeSheet, swimsOf, type TruthRow } from "../support/sheets/sheet-truth.ts";
import { writeSplash } from "../support/sheets/splash-list.ts";
import { writeTeamUnify } from "../support/sheets/teamunify-program.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "docmill-sheets-"));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});

async function parse(pdf: Buffer): Promise<Sheet> {
  return parseSheet(await readSheetPages(folder, pdf));
}

function rowsOf(sheet: Sheet): TruthRow[] {
  return sheet.entries.map(({ event, box: _box, relay, team, seed, ...row }) => ({
    ...row,
    eventNumber: sheet.events[event]?.number ?? 0,
    eventName: sheet.events[event]?.name ?? "",
    team: team ?? "",
    seed: seed ?? "",
    relay: relay && {
      letter: relay.letter ?? "",
      members: relay.members.map(({ name, age, leg }) => ({ name, age, leg })),
    },
  }));
}

/** A row as one line, so that a difference shows which. */
function describeRow(row: TruthRow): string {
  return JSON.stringify(row, Object.keys(row).concat("letter", "members", "leg").sort());
}

const meet = makeMeet({ seed: 21, distance: true });
const yards = makeMeet({ seed: 22, course: "Yard", lanes: 6, events: 16, entries: 24 });
const mixed = makeMeet({ seed: 23, mixed: true, entries: 24 });
const plain = makeMeet({ seed: 24, course: "SC Meter" });
const large = makeMeet({ seed: 25, swimmers: 500, events: 40, entries: 60 });

const program = (options: ProgramOptions) => (of: Meet) => writeHytekProgram(of, options);
const psych = (options: PsychOptions) => (of: Meet) => writeHytekPsych(of, options);

const layouts: [string, Sheet["kind"], Sheet["producer"], Meet, (of: Meet) => MadeSheet][] = [
  ["two columns", "program", "hytek", yards, program({ columns: 2 })],
  ["three columns", "program", "hytek", yards, program({ columns: 3 })],
  ["distance events by rank and in turns", "program", "hytek", meet, program({ columns: 2 })],
  ["records", "program", "hytek", yards, program({ columns: 2, records: true })],
  ["records, three columns", "program", "hytek", meet, program({ columns: 3, records: true })],
  ["heats that go on in the next column", "program", "hytek", large, program({ columns: 2, splitHeats: true })],
  ["the same in three columns", "program", "hytek", large, program({ columns: 3, splitHeats: true })],
  ["drawn out of order", "program", "hytek", meet, program({ columns: 2, scrambled: true, records: true })],
  ["out of order in three columns", "program", "hytek", yards, program({ columns: 3, scrambled: true })],
  ["long names over the ages", "program", "hytek", large, program({ columns: 2, overrun: true })],
  ["the same out of order", "program", "hytek", meet, program({ columns: 3, overrun: true, scrambled: true })],
  ["girls and boys together", "program", "hytek", mixed, program({ columns: 2 })],
  ["the same with long names", "program", "hytek", mixed, program({ columns: 2, overrun: true })],
  ["blanks for the results", "program", "hytek", yards, program({ columns: 2, blank: true })],
  ["blanks before the names", "program", "hytek", yards, program({ columns: 2, blankFirst: true })],
  ["finals with letters", "program", "hytek", yards, program({ columns: 2, letteredFinals: true })],
  ["relays with numbered legs", "program", "hytek", large, program({ columns: 2, numberedLegs: true })],
  ["courses apart from the times", "program", "hytek", meet, program({ columns: 2, courseApart: true })],
  ["stars at names", "program", "hytek", meet, program({ columns: 3, stars: true })],
  ["years of school", "program", "hytek", yards, program({ columns: 2, schoolYears: true })],
  ["Greek letters for f", "program", "hytek", meet, program({ columns: 2, glyphTrouble: "greek" })],
  ["a psych sheet in one column", "psych", "hytek", yards, psych({ columns: 1 })],
  ["a psych sheet in two columns", "psych", "hytek", large, psych({ columns: 2, blank: true })],
  ["a psych sheet in three columns", "psych", "hytek", large, psych({ columns: 3, scrambled: true })],
  ["TeamUnify", "program", "teamunify", yards, writeTeamUnify],
  ["Splash", "program", "splash", plain, writeSplash],
  ["EasyWk", "program", "easywk", plain, writeEasyWk],
];

describe.each(layouts)("%s", (_layout, kind, producer, meetOf, write) => {
  let made: MadeSheet;
  let sheet: Sheet;
  beforeAll(async () => {
    made = write(meetOf);
    sheet = await parse(made.pdf);
  });

  it("gives every row and nothing else", () => {
    expect(sheet).toMatchObject({
      kind,
      producer,
      pageCount: made.truth.pageCount,
      meetName: "Invented Waters Open 2031",
    });
    expect(rowsOf(sheet).map(describeRow)).toEqual(made.truth.rows.map(describeRow));
  });

  it("has each swimmer's swims and nobody else's", () => {
    const printed = new Set(
      made.truth.rows.flatMap(({ name, relay }) => [
        name ?? "",
        ...(relay?.members ?? []).map((member) => member.name),
      ]),
    );
    let checked = 0;
    for (const [index, swimmer] of meetOf.swimmers.entries()) {
      // Those whose name is nowhere cut, be it with or without the initial that relays leave out.
      const names = [...new Set([listedName(swimmer), listedName({ ...swimmer, initial: null })])];
      const isCut = [...printed].some((name) => name.length > 3 && !names.includes(name) && names[0]?.startsWith(name));
      if (isCut || (index > 10 && index % 9 !== 0)) continue;
      const expected = names
        .flatMap((name) => swimsOf(made.truth, name))
        .map(({ row, leg }) => `${made.truth.rows.indexOf(row)} ${leg}`);
      for (const wanted of [names[0] ?? "", `${swimmer.first} ${swimmer.last}`]) {
        const found = findSwimmer(sheet, wanted).swims.map(
          ({ entry, member }) => `${sheet.entries.indexOf(entry)} ${member?.leg ?? null}`,
        );
        expect(found.toSorted()).toEqual(expected.toSorted());
      }
      checked += expected.length;
    }
    expect(checked).toBeGreaterThan(10);
  });
});

describe("any program", () => {
  it.each(Array.from({ length: 12 }, (_, index) => 100 + index))("of seed %d gives every row", async (seed) => {
    const random = createRandom(seed);
    const columns = random.pick([2, 3] as const);
    const overrun = random.oneIn(2);
    const anyMeet = makeMeet({
      seed,
      swimmers: 40 + random.below(150),
      events: 8 + 2 * random.below(6),
      teams: 2 + random.below(6),
      lanes: random.pick([4, 6, 8, 10]),
      entries: 8 + random.below(40),
      course: random.pick(["Yard", "LC Meter", "SC Meter"] as const),
      mixed: random.oneIn(3),
      distance: random.oneIn(3),
    });
    const { pdf, truth } = writeHytekProgram(anyMeet, {
      columns,
      overrun,
      records: random.oneIn(2),
      splitHeats: random.oneIn(2),
      scrambled: random.oneIn(2),
      blank: random.oneIn(4),
      blankFirst: random.oneIn(6),
      courseApart: random.oneIn(4),
      stars: random.oneIn(4),
      letteredFinals: random.oneIn(5),
      numberedLegs: columns === 2 && random.oneIn(2),
      ...(random.oneIn(3) && { glyphTrouble: "greek" }),
    });
    expect(rowsOf(await parse(pdf)).map(describeRow)).toEqual(truth.rows.map(describeRow));
  });
});

describe("a sheet that loses letters", () => {
  it("still has every row, and the swimmer is a near miss", async () => {
    const { pdf, truth } = writeHytekProgram(meet, { columns: 2, glyphTrouble: "lost" });
    const sheet = await parse(pdf);
    const withoutF = (text: string) => text.replaceAll(/f| (?=[^"]*")/g, "");
    const lines = (rows: TruthRow[]) => rows.map((row) => withoutF(describeRow(row)));
    expect(lines(rowsOf(sheet))).toEqual(lines(truth.rows));
    const { swims, nearMisses } = findSwimmer(sheet, "Fiffi Griffinflint");
    expect(swims).toEqual([]);
    expect(nearMisses).toHaveLength(1);
  });
});

describe("namesakes", () => {
  it("are told apart by what stands in brackets", async () => {
    const { pdf, truth } = writeHytekProgram(yards, { columns: 2 });
    const sheet = await parse(pdf);
    const { namesakes } = findSwimmer(sheet, "Anna Quillfeather");
    expect(namesakes.map(({ age }) => age).toSorted()).toEqual(["12", "9"]);
    const { swims } = findSwimmer(sheet, "Anna Quillfeather (9)");
    const nine = truth.rows.filter(({ name, age }) => name === "Quillfeather, Anna" && age === "9");
    expect(swims.filter(({ member }) => !member)).toHaveLength(nine.length);
  });
});

describe("what is no heat sheet has no entries", () => {
  it("a session report is a timeline", async () => {
    const { pdf, items } = writeSessionReport(plain);
    const sheet = await parse(pdf);
    expect(sheet).toMatchObject({ kind: "timeline", entries: [] });
    expect(sheet.sessions).toMatchObject([
      {
        number: 1,
        name: "Saturday Morning",
        day: 1,
        startsAt: "08:30",
        intervalSeconds: 25,
        backstrokeExtraSeconds: 15,
        items,
      },
    ]);
  });

  it("results are results", async () => {
    expect(await parse(writeResults(plain))).toMatchObject({ kind: "results", entries: [] });
  });

  it("warm-up lanes and a list in sentences are unknown", async () => {
    expect(await parse(writeWarmupDecoy(plain))).toMatchObject({ kind: "unknown", entries: [] });
    expect(await parse(writeUnknownLayout(plain))).toMatchObject({ kind: "unknown", entries: [] });
  });
});
