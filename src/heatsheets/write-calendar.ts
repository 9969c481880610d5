/**
 * A swimmer's swims as an iCalendar file (RFC 5545). Times are floating, that is, local wherever the calendar is read:
 * heat sheets name no time zone. A swim keeps its UID, so importing a newer file moves it instead of doubling it.
 */
import { createHash } from "node:crypto";
import type { MergedSwimEvent } from "../contract/batches.ts";
import { type ContentLine, writeContentLines } from "./write-content-lines.ts";

export interface CalendarInput {
  swimmerName: string;
  events: readonly MergedSwimEvent[];
  /** How long before a start the calendar reminds. */
  alarmMinutes: number;
  now: Date;
  /** Swims of different calendars are different swims. */
  calendarId: string;
}

const swimMinutes = 10;

export function writeCalendar({ swimmerName, events, alarmMinutes, now, calendarId }: CalendarInput): string {
  const dated = events.flatMap((event) => {
    const date = readDate(event.sessionDate);
    return date ? [{ event, date }] : [];
  });
  const uids = new Set<string>();
  return writeContentLines([
    ["BEGIN", "VCALENDAR"],
    ["VERSION", "2.0"],
    ["PRODID", "-//Docmill//Heat sheets//EN"],
    ["CALSCALE", "GREGORIAN"],
    ["METHOD", "PUBLISH"],
    ["X-WR-CALNAME", { text: `Swims of ${swimmerName}` }],
    ["X-WR-CALDESC", { text: describeCalendar(dated.length, events.length) }],
    ...dated.flatMap(({ event, date }) => [
      ["BEGIN", "VEVENT"] satisfies ContentLine,
      ["UID", toUid(calendarId, event, uids)] satisfies ContentLine,
      ["DTSTAMP", `${toBasic(now)}Z`] satisfies ContentLine,
      ...writeSwim(event, date, alarmMinutes),
      ["END", "VEVENT"] satisfies ContentLine,
    ]),
    ["END", "VCALENDAR"],
  ]);
}

function writeSwim(event: MergedSwimEvent, date: Date, alarmMinutes: number): ContentLine[] {
  const start = readStart(event.heatStartTime, date);
  const summary = summarise(event, start !== undefined);
  const texts: ContentLine[] = [
    ["SUMMARY", { text: summary }],
    ["DESCRIPTION", { text: describeSwim(event, start !== undefined) }],
  ];
  if (!start) {
    // The day is known and the time is not: the whole day, which stays free for other things.
    return [
      ["DTSTART;VALUE=DATE", toBasic(date).slice(0, 8)],
      ["DTEND;VALUE=DATE", toBasic(addMinutes(date, 24 * 60)).slice(0, 8)],
      ["TRANSP", "TRANSPARENT"],
      ...texts,
    ];
  }
  return [
    ["DTSTART", toBasic(start)],
    ["DTEND", toBasic(addMinutes(start, swimMinutes))],
    ...texts,
    ["BEGIN", "VALARM"],
    ["ACTION", "DISPLAY"],
    ["TRIGGER", `-PT${alarmMinutes}M`],
    ["DESCRIPTION", { text: summary }],
    ["END", "VALARM"],
  ];
}

function summarise(event: MergedSwimEvent, timed: boolean): string {
  const places = [
    `Event ${event.eventNumber}`,
    event.heatNumber === null ? undefined : `heat ${event.heatNumber}`,
    event.lane === null ? undefined : `lane ${event.lane}`,
    event.alternate && "alternate",
  ];
  const about = timed && event.estimated ? ` (about ${event.heatStartTime})` : "";
  return `${places.filter(Boolean).join(", ")}${about}: ${event.eventName}`;
}

function describeSwim(event: MergedSwimEvent, timed: boolean): string {
  const { relay } = event;
  const heat = event.totalHeats ? `${event.heatNumber} of ${event.totalHeats}` : event.heatNumber;
  const lines = [
    ["Swimmer", event.swimmerName],
    ["Heat", event.heatNumber === null ? undefined : heat],
    ["Lane", event.lane],
    ["Rank", event.rank],
    ["Round", event.round],
    ["Session", event.sessionName],
    ["Team", relay ? [relay.team, relay.letter].filter(Boolean).join(" ") : event.team],
    ["Leg", relay?.leg],
    ["Relay", relay?.members.join(", ")],
    ["Seed time", event.seedTime],
  ].flatMap(([label, value]) => (value === undefined || value === null || value === "" ? [] : [`${label}: ${value}`]));
  if (!timed) lines.push("The sheet gives no start time.");
  else if (event.estimated) lines.push("The start time is about right: it is computed from the heats before this one.");
  return lines.join("\n");
}

function describeCalendar(included: number, all: number): string {
  const left = all - included;
  const missing = left === 1 ? "1 swim without a date is" : `${left} swims without a date are`;
  return `${included} ${included === 1 ? "swim" : "swims"}.${left > 0 ? ` ${missing} left out.` : ""}`;
}

/**
 * From what a later issue of the sheet leaves as it is: heat, lane and time may change. Numbers of events begin anew in
 * every meet and often in every session, hence the name.
 */
function toUid(calendarId: string, event: MergedSwimEvent, taken: Set<string>): string {
  const { eventNumber, eventName, round, swimmerName, relay } = event;
  const facts = [calendarId, eventNumber, eventName, round, swimmerName, relay?.letter];
  for (let copy = 0; ; copy++) {
    const hash = createHash("sha256").update(JSON.stringify([...facts, copy]));
    const uid = `${hash.digest("hex").slice(0, 32)}@docmill`;
    if (taken.has(uid)) continue;
    taken.add(uid);
    return uid;
  }
}

/** Midnight of a day that exists, as if here were Greenwich; nothing below converts between zones. */
function readDate(text: string | null): Date | undefined {
  if (!text || !/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined;
  const date = new Date(`${text}T00:00:00Z`);
  // JavaScript takes 31 April for 1 May.
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text) ? date : undefined;
}

function readStart(text: string | undefined, date: Date): Date | undefined {
  const [, hours, minutes] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(text ?? "") ?? [];
  return hours === undefined ? undefined : addMinutes(date, Number(hours) * 60 + Number(minutes));
}

function addMinutes(date: Date, minutes: number): Date {
  return new Date(date.getTime() + minutes * 60_000);
}

/** 20260805T093000 */
function toBasic(date: Date): string {
  return date.toISOString().replace(/[-:]/g, "").slice(0, 15);
}
