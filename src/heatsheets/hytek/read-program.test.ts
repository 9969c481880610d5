import { describe, expect, it } from "vitest";
import { PageBuilder } from "../../../test/support/page-builder.ts";
import { type PageSetting, setHytekPage, size, swim } from "../../../test/support/set-hytek-page.ts";
import type { Sheet } from "../sheet.ts";
import { readProgram } from "./read-program.ts";

function read(...pages: PageSetting[]): Sheet {
  return readProgram(
    pages.map((page, i) => setHytekPage(page, i + 1)),
    "hytek",
  );
}

const girls = "Event 1 Girls 11-12 100 LC Meter Freestyle";

describe("the furniture", () => {
  const body = [[girls, { header: "swimmers" } as const, "Heat 1 of 1 Finals", swim(1)]];

  it("names meet, dates and session, and when it was printed", () => {
    expect(read({ session: "Saturday Prelims", columns: body })).toMatchObject({
      kind: "program",
      meetName: "Summer Open",
      meetDates: { from: "2025-07-18", to: "2025-07-20" },
      sessionName: "Saturday Prelims",
      sessionDate: "2025-07-19",
      printedAt: "2025-07-14T17:26",
      venue: null,
      warnings: [],
    });
  });

  it("has the day of a meet of one day, and no session where all events are in it", () => {
    const sheet = read({ title: ["Relay Cup - Division H - 7/19/2025"], session: "All Events", columns: body });
    expect(sheet).toMatchObject({ meetName: "Relay Cup - Division H", sessionName: null, sessionDate: "2025-07-19" });
  });

  it("takes the place from the line of the dates", () => {
    const title = ["Zone Championships, Sanction #: AB2608", "Springfield, Idaho August 5-8, 2026"];
    expect(read({ title, columns: body })).toMatchObject({
      meetName: "Zone Championships",
      venue: "Springfield, Idaho",
      meetDates: { from: "2026-08-05", to: "2026-08-08" },
      sessionDate: null,
    });
  });

  it("gives each event the session of its page where several are bound together", () => {
    const sheet = read(
      { session: "Friday Prelims", columns: body },
      { session: "Friday Finals", columns: body },
      { session: "Sunday Prelims", columns: [["#2 Boys 50 Yard Butterfly", ...(body[0] ?? []).slice(1)]] },
    );
    expect(sheet).toMatchObject({ sessionName: null, sessionDate: null });
    expect(sheet.events.map(({ number, sessionName, sessionDate }) => [number, sessionName, sessionDate])).toEqual([
      [1, "Friday Prelims", "2025-07-18"],
      [1, "Friday Finals", "2025-07-18"],
      [2, "Sunday Prelims", "2025-07-20"],
    ]);
  });

  it("holds for pages that do not repeat it", () => {
    const first = setHytekPage({ session: "Friday Prelims", columns: body });
    const second = new PageBuilder(612, 792).line(18, 40, "#2 Boys 50 Yard IM", { size }).build(2);
    const sheet = readProgram([first, second], "hytek");
    expect(sheet).toMatchObject({ sessionName: "Friday Prelims", sessionDate: "2025-07-18" });
    expect(sheet.events.map(({ sessionName }) => sessionName)).toEqual(["Friday Prelims", "Friday Prelims"]);
  });

  it("passes pages of other kinds over", () => {
    const report = { kind: "Session Report", columns: [["Session: 1 Friday PM"]] };
    const sheet = read(report, { columns: body });
    expect(sheet.entries.map(({ page }) => page)).toEqual([2]);
    expect(sheet.warnings).toEqual(["1 page lists no heats and was passed over."]);
  });

  it("gives nothing of results", () => {
    const sheet = read({ kind: "Results", columns: [[girls, { header: "psych" }, swim(1)]] });
    expect(sheet).toMatchObject({ kind: "results", meetName: "Summer Open", events: [], entries: [] });
  });
});

describe("columns and pages", () => {
  it("reads a column to its end and carries event and heat over", () => {
    const sheet = read({
      columns: [
        [girls, "WZ Record: 1:01.20 8/5/2015 Mia B Stone", { header: "swimmers" }, "Heat 1 of 2 Prelims", swim(4)],
        [swim(5), "Heat 2 of 2 Prelims", { lane: 1 }, swim(2), "Event 2 Boys 50 Yard IM", { header: "swimmers" }],
      ],
    });
    expect(sheet.entries.map(({ heat, lane, totalHeats, round }) => [heat, lane, totalHeats, round])).toEqual([
      [1, 4, 2, "Prelims"],
      [1, 5, 2, "Prelims"],
      [2, 2, 2, "Prelims"],
    ]);
    expect(sheet.entries[1]?.box.x).toBeGreaterThan(300);
    expect(sheet.events.map(({ number }) => number)).toEqual([1, 2]);
    expect(sheet.warnings).toEqual([]);
  });

  it("knows the full name of an event that goes on", () => {
    const sheet = read(
      { columns: [[girls, { header: "swimmers" }, "Heat 1 of 3 Finals", swim(1)]] },
      { columns: [["Heat 2 Finals (#1 Girls 11-12 100 LC Me", swim(3), "Heat 3 (#1 Girls 11-12 100 LC Me)", swim(6)]] },
    );
    expect(sheet.events).toHaveLength(1);
    expect(sheet.entries.map(({ page, heat, totalHeats, lane }) => [page, heat, totalHeats, lane])).toEqual([
      [1, 1, 3, 1],
      [2, 2, 3, 3],
      [2, 3, 3, 6],
    ]);
  });

  it("tells the heats of two events apart that alternate", () => {
    const sheet = read(
      {
        columns: [
          ["Event 21 / 22 Girls / Boys 13-14 800 Free", { header: "swimmers" }],
          ["Heat 1 (Heat 1 Girls 800 Free) Swimming with Finals", swim(4), "Heat 2 (Heat 1 Boys 800 Free)", swim(5)],
        ],
      },
      { columns: [["Heat 3 (Heat 2 Girls 800 Free) (#21 / 22 )", swim(6)]] },
    );
    expect(sheet.events.map(({ number, name }) => [number, name])).toEqual([
      [21, "Girls 13-14 800 Free"],
      [22, "Boys 13-14 800 Free"],
    ]);
    expect(sheet.entries.map(({ event, heat, blockHeat, round }) => [event, heat, blockHeat, round])).toEqual([
      [0, 1, 1, "Swimming with Finals"],
      [1, 1, 2, null],
      [0, 2, 3, null],
    ]);
  });

  it("knows of a heat that is torn apart when it starts", () => {
    const sheet = read({
      columns: [
        [girls, { header: "swimmers" }, "Heat 1 of 2 Finals Starts at 03:40 PM", swim(1)],
        ["Heat 1 (#1 Girls 11-12 100 LC Me", swim(2), "Heat 2 (#1 Girls 11-12 100 LC Me", swim(1)],
      ],
    });
    expect(sheet.entries.map(({ heat, lane, round, heatStart }) => [heat, lane, round, heatStart])).toEqual([
      [1, 1, "Finals", "15:40"],
      [1, 2, "Finals", "15:40"],
      [2, 1, null, null],
    ]);
  });

  it("begins in the middle of such a block", () => {
    const sheet = read({
      columns: [["Heat 8 (Heat 5 Girls 800 Free) (#21 / 22 )", swim(6), "Heat 9 (Heat 5 Boys 800 Free)", swim(1)]],
    });
    expect(sheet.events.map(({ number, name }) => [number, name])).toEqual([
      [21, "Girls 800 Free"],
      [22, "Boys 800 Free"],
    ]);
    expect(sheet.entries.map(({ event, heat }) => [event, heat])).toEqual([
      [0, 5],
      [1, 5],
    ]);
  });

  it("puts a name together that needs two lines", () => {
    const event = "Event 4 Women 18 & Over 4x100 SC Meter";
    const sheet = read({ columns: [[event, "Freestyle Relay", { header: "teams" }, "Heat 1 of 1"]] });
    expect(sheet.events).toMatchObject([{ name: "Women 18 & Over 4x100 SC Meter Freestyle Relay", relay: true }]);
  });

  it("does not take a swimmer called Lane for a header", () => {
    const sheet = read({
      columns: [
        [girls, { header: "swimmers" }, "Heat 1 of 1 Finals", swim(1, "Lane, Name"), swim(2, "Name Lane")],
        ["Event 2 Boys 50 Yard IM", { header: "swimmers" }, "Heat 1 of 1 Finals", swim(3, "Hill, Lane")],
      ],
    });
    expect(sheet.entries.map(({ name }) => name)).toEqual(["Lane, Name", "Name Lane", "Hill, Lane"]);
  });
});

describe("heats", () => {
  it("have a start", () => {
    const sheet = read({
      columns: [[girls, { header: "swimmers" }, "Heat 1 of 9 Finals Starts at 03:40 PM", swim(1)]],
    });
    expect(sheet.entries[0]).toMatchObject({ heatStart: "15:40", round: "Finals", totalHeats: 9 });
  });

  it("may be finals with a letter, with alternates that have ranks", () => {
    const sheet = read({
      columns: [
        [
          girls,
          { header: "swimmers" },
          "Heat 1 B - Final",
          swim(8),
          "Alternates",
          swim(17),
          "Heat 2 A - Final",
          swim(0),
        ],
      ],
    });
    expect(sheet.entries.map(({ round, heat, lane, rank, alternate }) => [round, heat, lane, rank, alternate])).toEqual(
      [
        ["B - Final", 1, 8, null, false],
        [null, null, null, 17, true],
        ["A - Final", 2, 0, null, false],
      ],
    );
  });

  it("have no lane eleven: such a row counts as unread", () => {
    const sheet = read({ columns: [[girls, { header: "swimmers" }, "Heat 1 of 1", swim(1), swim(11), swim(12)]] });
    expect(sheet.entries).toHaveLength(1);
    expect(sheet.warnings).toEqual(["2 rows could not be read."]);
  });
});

describe("ranked lists", () => {
  it("stand in programs, too, for events without heats", () => {
    const sheet = read({
      columns: [
        [girls, { header: "swimmers" }, "Heat 1 of 1 Finals", swim(4), "Event 2 Girls 800 LC Meter Freestyle"],
        [
          "Event 2 ...(Girls 800 LC Meter Fre",
          { header: "psych" },
          swim(1),
          swim(12),
          "Event 3 Boys 800 LC Meter Free",
        ],
      ],
    });
    expect(sheet.kind).toBe("program");
    expect(sheet.entries.map(({ event, heat, lane, rank }) => [event, heat, lane, rank])).toEqual([
      [0, 1, 4, null],
      [1, null, null, 1],
      [1, null, null, 12],
    ]);
  });

  it("make a psych sheet", () => {
    const sheet = read({
      kind: "Psych Sheet",
      columns: [
        [
          "#1 Women 200 SC Meter Freestyle Relay",
          { header: "psych teams" },
          { lane: 1, name: "Oak", relay: "B", seed: "NT" },
        ],
        [
          "#2 Women 50 Yard Butter\u03d0ly",
          { header: "psych" },
          swim(101),
          swim("--", "Moss, Eve"),
          "#2 ... (Women 50 Yard",
          swim(103),
        ],
      ],
    });
    expect(sheet.kind).toBe("psych");
    expect(sheet.events.map(({ name, relay }) => [name, relay])).toEqual([
      ["Women 200 SC Meter Freestyle Relay", true],
      ["Women 50 Yard Butterfly", false],
    ]);
    expect(sheet.entries.map(({ rank, lane }) => [rank, lane])).toEqual([
      [1, null],
      [101, null],
      [null, null],
      [103, null],
    ]);
    expect(sheet.entries[0]).toMatchObject({
      name: null,
      team: "Oak",
      seed: "NT",
      relay: { letter: "B", members: [] },
    });
  });
});
