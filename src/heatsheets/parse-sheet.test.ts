import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { PageBuilder } from "../../test/support/page-builder.ts";
import type { PageText, Word } from "../layout/page.ts";
import { parseSheet } from "./parse-sheet.ts";

const print = "Springfield Pool HY-TEK's MEET MANAGER 8.0 - 5:26 PM 7/14/2025 Page 1";
const head = [print, "Summer Open - 7/19/2025", "Meet Program - Saturday"];
const swim = ["Lane Name Age Team Seed Time", "Heat 1 of 1 Finals", "4 Reed, Ann 12 OAK-PV 1:05.32"];
const event = "#1 Girls 11-12 100 LC Meter Freestyle";

/** Lines as extracted text has them: one space between words, no columns. */
const toPage = (lines: readonly string[], number = 1) => new PageBuilder(600, 2000).lines(0, 10, lines).build(number);

describe("parseSheet", () => {
  it("reads a program of HY-TEK", () => {
    expect(parseSheet([toPage([...head, event, ...swim])])).toMatchObject({
      kind: "program",
      producer: "hytek",
      meetName: "Summer Open",
      pageCount: 1,
      events: [{ number: 1, name: "Girls 11-12 100 LC Meter Freestyle" }],
      entries: [{ lane: 4, name: "Reed, Ann", age: "12", team: "OAK-PV", seed: "1:05.32" }],
    });
  });

  it("reads it without its furniture, too", () => {
    const sheet = parseSheet([toPage([event, ...swim])]);
    expect(sheet).toMatchObject({ kind: "program", producer: "hytek", meetName: null });
    expect(sheet.entries).toHaveLength(1);
  });

  it("reads a program of TeamUnify", () => {
    const page = new PageBuilder(600, 800)
      .line(40, 40, "Oak Summer League 7/19/2025")
      .line(40, 60, "#1 Girls 10 & Under 50 Free")
      .line(40, 72, "Lane")
      .line(80, 72, "Name")
      .line(240, 72, "Age")
      .line(280, 72, "Team")
      .line(380, 72, "Seed")
      .line(40, 84, "Heat 1 of 1")
      .line(45, 96, "3")
      .line(80, 96, "Reed, Ann")
      .line(244, 96, "9")
      .line(280, 96, "OAK")
      .line(380, 96, "28.45Y");
    expect(parseSheet([page.build()])).toMatchObject({
      kind: "program",
      producer: "teamunify",
      meetName: "Oak Summer League",
      sessionDate: "2025-07-19",
      events: [{ number: 1, name: "Girls 10 & Under 50 Free" }],
      entries: [{ lane: 3, heat: 1, name: "Reed, Ann", age: "9", team: "OAK", seed: "28.45Y" }],
    });
  });

  it("knows results without reading them", () => {
    const lines = [
      print,
      "Summer Open - 7/19/2025",
      "Results",
      "Girls 50 Yard IM",
      "Name Age Team Seed Time Finals Time",
    ];
    const sheet = parseSheet([toPage([...lines, "1 Reed, Ann 12 OAK-PV 37.05 36.51"])]);
    expect(sheet).toMatchObject({ kind: "results", meetName: "Summer Open", entries: [] });
  });

  it("prefers the program of a packet that has a timeline as well", () => {
    const report = [
      print,
      "Summer Open - 7/19/2025",
      "Session Report",
      "Session: 1 Saturday",
      "Day of Meet: 1 Starts at 08:00 AM Heat Interval: 20 Seconds / Back +15 Seconds",
      "Round Event Entries Heats Starts at",
      "Finals 1 Girls 11-12 100 Freestyle 1 1 u 08:00 AM ____",
    ];
    const sheet = parseSheet([toPage(report), toPage([...head, event, ...swim], 2)]);
    expect(sheet).toMatchObject({ kind: "program", pageCount: 2, entries: [{ page: 2 }] });
    expect(parseSheet([toPage(report)]).kind).toBe("timeline");
  });

  it("does not know a program without one readable row", () => {
    const sheet = parseSheet([toPage([...head, event, "Heat 1 of 1 Finals", "drei Reed"])]);
    expect(sheet).toMatchObject({ kind: "unknown", producer: null, meetName: "Summer Open", events: [], entries: [] });
  });

  it.each([
    ["a list of warm-up lanes", ["Warm-Up Assignments", "LANE 1 LANE 2 LANE 3", "6:00am - 6:30am Open OAK ELM"]],
    ["a letter", ["Dear swimmers,", "Heat 1 of the year is here. Event 5 is on Sunday.", "4 lanes are open."]],
    ["nothing", []],
  ])("does not know %s", (_, lines) => {
    expect(parseSheet([toPage(lines)])).toMatchObject({ kind: "unknown", producer: null, pageCount: 1, entries: [] });
  });

  it("takes no pages", () => {
    expect(parseSheet([])).toMatchObject({ kind: "unknown", pageCount: 0 });
  });
});

const vocabulary = [
  ...[
    "Event",
    "#1",
    "#12",
    "Girls",
    "Mixed",
    "50",
    "100",
    "LC",
    "Meter",
    "Yard",
    "Freestyle",
    "Relay",
    "...(Boys",
    "/",
  ],
  ...[
    "Lane",
    "Name",
    "Age",
    "Yr",
    "Team",
    "Relay",
    "Seed",
    "Time",
    "Heat",
    "of",
    "(Heat",
    "(#3",
    "Finals",
    "Alternates",
  ],
  ...[
    "0",
    "1",
    "7",
    "10",
    "11",
    "104",
    "W12",
    "LW10",
    "AngeWlic7a1",
    "SO",
    "Reed,",
    "Ann",
    "OAK-PV",
    "A",
    "X",
    "1)",
    "2)",
  ],
  ...[
    "28.45Y",
    "X1:05.32",
    "NT",
    "L",
    "B____",
    "_____",
    "--",
    "Record:",
    "7/19/2025",
    "Meet",
    "Program",
    "Psych",
    "Sheet",
  ],
];

const anyWord: fc.Arbitrary<Word> = fc.record({
  text: fc.oneof({ weight: 8, arbitrary: fc.constantFrom(...vocabulary) }, fc.string({ minLength: 1, maxLength: 12 })),
  box: fc.record({
    x: fc.constantFrom(18, 29, 45, 131, 154, 230, 250, 276, 310, 320, 336, 422, 446, 521, 542),
    y: fc.integer({ min: 0, max: 30 }).map((row) => 30 + 12 * row),
    width: fc.integer({ min: 0, max: 40 }),
    height: fc.constantFrom(8, 10),
  }),
});

const anyPage: fc.Arbitrary<PageText> = fc
  .array(anyWord, { maxLength: 120 })
  .map((words) => ({ page: 1, width: 612, height: 792, source: "text", words, rules: [] }));

/** Lines in an order that makes sense, so that rows are reached as well. */
const anyLines = fc
  .array(
    fc.array(fc.constantFrom(...vocabulary), { maxLength: 9 }).map((words) => words.join(" ")),
    { maxLength: 30 },
  )
  .map((lines) => toPage([...head, event, ...swim, ...lines]));

describe("whatever is on the pages", () => {
  it.each([
    ["words anywhere", anyPage],
    ["lines of a program", anyLines],
  ])("%s: it answers, and lanes are 0 to 10 or none", (_, page) => {
    fc.assert(
      fc.property(fc.array(page, { minLength: 1, maxLength: 3 }), (pages) => {
        const sheet = parseSheet(pages);
        expect(sheet.pageCount).toBe(pages.length);
        for (const entry of sheet.entries) {
          expect(sheet.events[entry.event]).toBeDefined();
          expect(entry.lane === null || (entry.lane >= 0 && entry.lane <= 10)).toBe(true);
          expect(entry.lane === null || entry.rank === null).toBe(true);
          expect(entry.name === null).toBe(entry.relay !== null);
        }
      }),
      { numRuns: 300 },
    );
  });
});
