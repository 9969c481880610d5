import { describe, expect, it } from "vitest";
import type { SwimEvent } from "../../../../../src/contract/batches.ts";
import { makeSwim } from "../../../testing/made-up/batches.ts";
import { groupSchedule } from "./group-schedule.ts";

const sources = [
  { sequence: 1, filename: "program.pdf", meetName: "Harbour Cup" },
  { sequence: 2, filename: "other.pdf", meetName: "Lake Open" },
];

function swim(eventNumber: number, rest: Partial<SwimEvent>, sequence = 1): SwimEvent {
  const source = { sequence, page: 1, bbox: null, by: "parser" } as const;
  return makeSwim(eventNumber, { sessionName: undefined, source, ...rest });
}

const outline = (events: SwimEvent[]) =>
  groupSchedule(events, sources).map(({ date, sessions }) => [
    date,
    ...sessions.map(({ name, meet, events: swims }) => [name, meet, ...swims.map(({ eventNumber }) => eventNumber)]),
  ]);

describe("a schedule by day and session", () => {
  it("keeps days and sessions in the order of their first swim", () => {
    const events = [
      swim(3, { sessionName: "Saturday Morning" }),
      swim(11, { sessionName: "Saturday Afternoon" }),
      swim(5, { sessionName: "Saturday Morning" }),
      swim(21, { sessionDate: "2031-06-15", sessionName: "Sunday Morning" }),
    ];
    expect(outline(events)).toEqual([
      ["2031-06-14", ["Saturday Morning", "Harbour Cup", 3, 5], ["Saturday Afternoon", "Harbour Cup", 11]],
      ["2031-06-15", ["Sunday Morning", "Harbour Cup", 21]],
    ]);
  });

  it("does not mix meets of the same day", () => {
    const events = [swim(1, { sessionName: "Morning" }), swim(1, { sessionName: "Morning" }, 2)];
    expect(outline(events)).toEqual([["2031-06-14", ["Morning", "Harbour Cup", 1], ["Morning", "Lake Open", 1]]]);
  });

  it("has a place for swims without a day or a session", () => {
    const events = [swim(1, {}), swim(2, { sessionDate: null }), swim(3, { sessionDate: null }, 9)];
    expect(outline(events)).toEqual([
      ["2031-06-14", [null, "Harbour Cup", 1]],
      [null, [null, "Harbour Cup", 2], [null, null, 3]],
    ]);
  });

  it("is empty without swims", () => {
    expect(groupSchedule([], sources)).toEqual([]);
  });
});
