import fc from "fast-check";
import ICAL from "ical.js";
import { describe, expect, it } from "vitest";
import type { MergedSwimEvent } from "../contract/batches.ts";
import { type CalendarInput, writeCalendar } from "./write-calendar.ts";

const source = { sequence: 1, page: 2, bbox: null, by: "parser" } as const;
const swim: MergedSwimEvent = {
  eventNumber: 12,
  eventName: "Girls 11-12 100 LC Meter Freestyle",
  heatNumber: 3,
  totalHeats: 8,
  lane: 4,
  swimmerName: "Marlow, Tessa Q",
  seedTime: "1:05.32Y",
  heatStartTime: "09:35",
  sessionDate: "2026-08-05",
  source,
  sources: [source],
};

function write(events: MergedSwimEvent[], changes: Partial<CalendarInput> = {}): string {
  const now = new Date("2026-08-01T07:08:09.123Z");
  return writeCalendar({
    swimmerName: "Tessa Marlow",
    events,
    alarmMinutes: 10,
    now,
    calendarId: "batch-1",
    ...changes,
  });
}

/** Read by another implementation of the standard. */
function parse(text: string) {
  const calendar = new ICAL.Component(ICAL.parse(text) as unknown[]);
  const events = calendar.getAllSubcomponents("vevent").map((component) => {
    const { uid, summary, description, startDate, endDate } = new ICAL.Event(component);
    const [alarm] = component.getAllSubcomponents("valarm");
    return {
      uid,
      summary,
      description,
      start: startDate.toString(),
      end: endDate.toString(),
      zone: startDate.zone.tzid,
      allDay: startDate.isDate,
      stamp: String(component.getFirstPropertyValue("dtstamp")),
      alarm: alarm && String(alarm.getFirstPropertyValue("trigger")),
    };
  });
  const value = (name: string) => calendar.getFirstPropertyValue(name);
  return { events, value };
}

const first = (text: string) => parse(text).events[0];

describe("writeCalendar", () => {
  it("puts a swim at its local time, without a zone, with an alarm", () => {
    expect(first(write([swim], { alarmMinutes: 15 }))).toMatchObject({
      summary: "Event 12, heat 3, lane 4: Girls 11-12 100 LC Meter Freestyle",
      description: "Swimmer: Marlow, Tessa Q\nHeat: 3 of 8\nLane: 4\nSeed time: 1:05.32Y",
      start: "2026-08-05T09:35:00",
      end: "2026-08-05T09:45:00",
      zone: "floating",
      allDay: false,
      stamp: "2026-08-01T07:08:09Z",
      alarm: "-PT15M",
    });
  });

  it("names itself", () => {
    const { value } = parse(write([swim]));
    expect(value("version")).toBe("2.0");
    expect(value("prodid")).toBe("-//Docmill//Heat sheets//EN");
    expect(value("x-wr-calname")).toBe("Swims of Tessa Marlow");
    expect(value("x-wr-caldesc")).toBe("1 swim.");
  });

  it("says of an estimated start that it is one", () => {
    const event = first(write([{ ...swim, estimated: true }]));
    expect(event?.summary).toBe("Event 12, heat 3, lane 4 (about 09:35): Girls 11-12 100 LC Meter Freestyle");
    expect(event?.description).toContain("The start time is about right");
    expect(event?.alarm).toBe("-PT10M");
  });

  it.each([undefined, "24:00", "9:35", "soon"])(
    "gives a swim that starts at %j the whole day, without an alarm",
    (at) => {
      const event = first(write([{ ...swim, heatStartTime: at, estimated: true, sessionDate: "2026-12-31" }]));
      expect(event).toMatchObject({ start: "2026-12-31", end: "2027-01-01", allDay: true, alarm: undefined });
      expect(event?.summary).not.toContain("about");
      expect(event?.description).toContain("The sheet gives no start time.");
    },
  );

  it("leaves out swims without a date that exists, and says how many", () => {
    const dates = [null, "2026-02-30", "2026-13-01", "August 5", "2026-02-28"];
    const { events, value } = parse(write(dates.map((sessionDate) => ({ ...swim, sessionDate }))));
    expect(events.map(({ start }) => start)).toEqual(["2026-02-28T09:35:00"]);
    expect(value("x-wr-caldesc")).toBe("1 swim. 4 swims without a date are left out.");
  });

  it("ends a swim that starts before midnight on the next day", () => {
    const event = first(write([{ ...swim, heatStartTime: "23:55", sessionDate: "2028-02-28" }]));
    expect(event).toMatchObject({ start: "2028-02-28T23:55:00", end: "2028-02-29T00:05:00" });
  });

  it("keeps a swim's uid when its heat, lane or time changes, and gives other swims others", () => {
    const uid = (changes: Partial<MergedSwimEvent>, calendarId?: string) =>
      first(write([{ ...swim, ...changes }], calendarId ? { calendarId } : {}))?.uid;
    const uids = new Set([uid({})]);
    for (const moved of [
      { heatStartTime: "10:10", estimated: true as const, seedTime: "1:04.00Y" },
      { heatNumber: 4, lane: 5 },
      { heatNumber: null, lane: null },
      { sessionDate: "2026-08-06" },
    ])
      uids.add(uid(moved));
    expect(uids.size).toBe(1);
    for (const other of [
      { eventNumber: 13 },
      { eventName: "Boys 13 & Over 1500 LC Meter Freestyle" },
      { swimmerName: "Marlow, Otto" },
      { round: "Finals" },
    ])
      uids.add(uid(other));
    uids.add(uid({}, "batch-2"));
    expect(uids.size).toBe(6);
  });

  it("gives no two events the same uid", () => {
    const ranked = { ...swim, heatNumber: null, lane: null };
    const uids = parse(write([ranked, ranked, ranked])).events.map(({ uid }) => uid);
    expect(new Set(uids).size).toBe(3);
    expect(parse(write([ranked])).events[0]?.uid).toBe(uids[0]);
  });

  it("tells what there is of a relay and of an alternate", () => {
    const relay = { team: "Otter Club", letter: "B", leg: 2, members: ["Marlow, Tessa", "Pike, Ann"] };
    const event = first(write([{ ...swim, lane: null, rank: 3, alternate: true, relay, sessionName: "Saturday" }]));
    expect(event?.summary).toBe("Event 12, heat 3, alternate: Girls 11-12 100 LC Meter Freestyle");
    expect(event?.description).toContain(
      "Rank: 3\nSession: Saturday\nTeam: Otter Club B\nLeg: 2\nRelay: Marlow, Tessa, Pike, Ann",
    );
  });

  it("is a calendar when there is nothing to swim", () => {
    expect(parse(write([])).events).toEqual([]);
  });

  it("brings any text through unharmed, in lines of at most 75 octets", () => {
    const anyText = fc.oneof(
      fc.string({ unit: "binary", maxLength: 200 }),
      fc.string({ unit: fc.constantFrom("\\", ";", ",", ":", "n", "N", " ", "\n", "\r", "🏊", "é", "\ud800", '"') }),
    );
    fc.assert(
      fc.property(anyText, anyText, (name, swimmerName) => {
        const text = write([{ ...swim, eventName: name, swimmerName, estimated: true }], { swimmerName });
        const { events } = parse(text);
        expect(events[0]?.summary).toBe(`Event 12, heat 3, lane 4 (about 09:35): ${withoutControls(name)}`);
        if (swimmerName) expect(events[0]?.description).toContain(withoutControls(`Swimmer: ${swimmerName}\nHeat: 3`));
        expect(text.endsWith("\r\n")).toBe(true);
        for (const line of text.slice(0, -2).split("\r\n")) {
          expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
          expect(line).not.toMatch(/[\r\n]/);
          expect(line.isWellFormed()).toBe(true);
        }
      }),
    );
  });
});

/** What a text in iCalendar cannot hold is gone, and every line ends the same way. */
function withoutControls(text: string): string {
  const kept = [...text.toWellFormed().replaceAll("\r\n", "\n").replaceAll("\r", "\n")].filter((character) => {
    const code = character.codePointAt(0) ?? 0;
    return code === 9 || code === 10 || (code >= 32 && code !== 127);
  });
  return kept.join("");
}
