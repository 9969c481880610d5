import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { PageBuilder } from "../../../test/support/page-builder.ts";
import { randomPages } from "../../../test/support/random-pages.ts";
import { timeline } from "./timeline.ts";

function reportPage(session: string, head: string, rows: readonly string[]) {
  return new PageBuilder()
    .line(18, 20, "A Swim Club HY-TEK's MEET MANAGER 8.0 - 1/19/2026 Page 1")
    .line(150, 34, "2026 Sample Invite - 1/23/2026 to 1/25/2026")
    .line(250, 48, "Session Report")
    .line(240, 62, session)
    .line(110, 76, head)
    .line(18, 90, "Round Event Entries Heats Starts at")
    .lines(18, 104, rows)
    .build();
}

const report = [
  reportPage("Session: 1 Friday PM", "Day of Meet: 1 Starts at 04:00 PM Heat Interval: 25 Seconds / Back +15 Seconds", [
    "Finals 1 Girls 10 & Under 500 Freestyle 16 2 u 04:00 PM _______",
    "Break: 10 Minutes",
    "Timed Finals 2 Boys 11-12 100 Backstroke 1,016 130 u 04:20 PM _______",
    "Entry / Heat Totals: 204 22",
    "Finish Time 08:22 PM _______",
  ]),
  reportPage("Session: 2 Saturday", "Day of Meet: 2 Starts at 08:30 AM Heat Interval: 20 Seconds", [
    "Prelims 3 Girls 13 & Over 50 Freestyle 198 20 u 08:30 AM _______",
  ]),
];

function table(title: string, rows: readonly (readonly [time: string, number: string, name: string, heats: string])[]) {
  const page = new PageBuilder()
    .line(29, 29, "2026 Sample Championships")
    .line(29, 49, title)
    .line(38, 85, "Prelims")
    .line(499, 85, "Starts 8:30 AM")
    .line(35, 107, "TIME")
    .line(109, 107, "EV")
    .line(149, 107, "EVENT")
    .line(440, 107, "ENTRIES")
    .line(517, 107, "HEATS");
  for (const [i, [time, number, name, heats]] of rows.entries()) {
    const y = 127 + i * 20;
    if (time !== "") page.line(35, y, time);
    if (number !== "") page.line(109, y, number);
    page.line(149, y, name);
    if (heats !== "") page.line(536, y, heats);
  }
  return page.line(29, 700, "Start and finish times are estimates").build();
}

/** Every kind of line that the layout has. */
const printed = [
  "A Club HY-TEK's MEET MANAGER 8.0 - 1/19/2026 Page 1",
  "Sample Invite - 1/23/2026 to 1/25/2026",
  "Session Report",
  "Session: 1 Friday PM",
  "Day of Meet: 99 Starts at 04:00 PM Heat Interval: 25 Seconds / Back +15 Seconds",
  "Finals 1 Girls 10 & Under 500 Freestyle 16 2 u 04:00 PM _______",
  "Wednesday · Prelims Timeline",
  "Prelims Starts 8:30 AM",
  "TIME EV EVENT ENTRIES HEATS",
  "8:30 1 Girls 400 IM — Heat 2 of 5",
];

describe("timeline", () => {
  it("reads HY-TEK's session report", () => {
    expect(timeline.recognises(report)).toBe(true);
    expect(timeline.read(report)).toMatchObject({
      kind: "timeline",
      producer: "hytek",
      meetName: "2026 Sample Invite",
      meetDates: { from: "2026-01-23", to: "2026-01-25" },
      printedAt: "2026-01-19",
      sessionName: null,
      entries: [],
      sessions: [
        {
          number: 1,
          name: "Friday PM",
          day: 1,
          date: "2026-01-23",
          startsAt: "16:00",
          intervalSeconds: 25,
          backstrokeExtraSeconds: 15,
          items: [
            {
              eventNumber: 1,
              eventName: "Girls 10 & Under 500 Freestyle",
              round: "Finals",
              entries: 16,
              heats: 2,
              startsAt: "16:00",
            },
            {
              eventNumber: 2,
              eventName: "Boys 11-12 100 Backstroke",
              round: "Timed Finals",
              entries: 1016,
              heats: 130,
              startsAt: "16:20",
            },
          ],
        },
        { number: 2, date: "2026-01-24", backstrokeExtraSeconds: null, items: [{ eventNumber: 3, round: "Prelims" }] },
      ],
    });
  });

  it("reads a table printed from a browser", () => {
    const page = table("Wednesday · Prelims Timeline", [
      ["6:30 AM", "", "Warm-up begins", ""],
      ["8:30 AM", "1", "Girls 11-12 400 IM — Finals-S", "3"],
      ["1:04 PM", "21", "Girls 13-14 800 Freestyle", "4"],
      ["", "22", "Boys 13-14 800 Freestyle — Timed Final (distance)", "2"],
    ]);
    expect(timeline.recognises([page])).toBe(true);
    const sheet = timeline.read([page]);
    expect(sheet).toMatchObject({
      producer: null,
      meetName: "2026 Sample Championships",
      sessionName: "Wednesday · Prelims",
    });
    expect(sheet.sessions).toMatchObject([{ startsAt: "08:30", name: "Wednesday · Prelims" }]);
    expect(
      sheet.sessions[0]?.items.map((i) => [i.eventNumber, i.eventName, i.round, i.heats, i.startsAt, i.heat]),
    ).toEqual([
      [1, "Girls 11-12 400 IM", "Finals-S", 3, "08:30", null],
      [21, "Girls 13-14 800 Freestyle", null, 4, "13:04", null],
      [22, "Boys 13-14 800 Freestyle", "Timed Final (distance)", 2, null, null],
    ]);
  });

  it("reads the starts of single heats", () => {
    const page = table("Wednesday · Distance Timeline", [
      ["11:44 AM", "21", "Girls 13-14 800 Freestyle — Heat 2 of 5", ""],
      ["11:54 AM", "22", "Boys 13-14 800 Freestyle — Heat 2 of 3", ""],
    ]);
    expect(timeline.read([page]).sessions[0]?.items).toMatchObject([
      { eventNumber: 21, heat: 2, heats: 5, startsAt: "11:44", round: null },
      { eventNumber: 22, heat: 2, heats: 3, startsAt: "11:54", round: null },
    ]);
  });

  it("leaves lanes for the warm-up alone", () => {
    const page = new PageBuilder()
      .line(230, 20, "Warm-Up Assignments")
      .line(180, 40, "LANE 1 LANE 2 LANE 3")
      .line(92, 60, "6:00am – 6:30am Open Open Open")
      .build();
    expect(timeline.recognises([page])).toBe(false);
  });

  it("never throws", () => {
    fc.assert(
      fc.property(randomPages(printed), (pages) => {
        timeline.recognises(pages);
        expect(timeline.read(pages).entries).toEqual([]);
      }),
    );
  });
});
