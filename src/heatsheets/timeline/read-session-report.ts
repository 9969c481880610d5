/** Reads HY-TEK's session report: a page a session, with the start, the interval between heats, and a row an event. */
import type { Row } from "../group-rows.ts";
import { findDates, tellDateOrder } from "../read-dates.ts";
import { readPrintedAt } from "../read-printed-at.ts";
import { readTimeOfDay } from "../read-time-of-day.ts";
import type { DateRange, SessionItem, Sheet, SheetSession } from "../sheet.ts";

const kindLine = /^Session Report\b/i;
const sessionLine = /^Session: ?(\d+)? ?(.*)$/;
const itemLine =
  /^(?<round>\D+?) (?<number>\d+)[A-Z]? (?<name>.+?) (?<entries>\d[\d,]*) (?<heats>\d+)(?: [A-Za-z])?(?: (?<time>\d{1,2}:\d{2} ?(?:[AP]M)?))?(?: _+(?:\d{1,2}:\d{2}.*)?)?$/i;

export function isSessionReport(rows: readonly Row[]): boolean {
  return rows.some(({ text }) => kindLine.test(text)) && rows.some(({ text }) => sessionLine.test(text));
}

export function readSessionReport(
  rows: readonly Row[],
): Pick<Sheet, "meetName" | "meetDates" | "printedAt" | "sessions"> {
  const head = readHead(rows);
  const sessions: SheetSession[] = [];
  for (const { text } of rows) {
    const opened = sessionLine.exec(text);
    if (opened) {
      const number = opened[1] === undefined ? null : Number(opened[1]);
      const name = opened[2] || null;
      const last = sessions.at(-1);
      // A session that takes more than a page has its head on each.
      if (!last || last.number !== number || last.name !== name) sessions.push(newSession(number, name));
      continue;
    }
    const session = sessions.at(-1);
    if (!session) continue;
    if (/^Day of Meet:/.test(text)) readSessionHead(session, text, head.meetDates);
    else {
      const item = readItem(text);
      if (item) session.items.push(item);
    }
  }
  return { ...head, sessions };
}

function newSession(number: number | null, name: string | null): SheetSession {
  const unknown = { day: null, date: null, startsAt: null, intervalSeconds: null, backstrokeExtraSeconds: null };
  return { number, name, ...unknown, items: [] };
}

/** `Day of Meet: 2 Starts at 08:30 AM Heat Interval: 25 Seconds / Back +15 Seconds`. */
function readSessionHead(session: SheetSession, text: string, meetDates: DateRange | null): void {
  const numberAfter = (form: RegExp) => {
    const found = form.exec(text)?.[1];
    return found === undefined ? null : Number(found);
  };
  session.day = numberAfter(/Day of Meet: ?(\d+)/);
  session.date = countDays(meetDates, session.day);
  session.startsAt = readTimeOfDay(/Starts at (\d{1,2}:\d{2} ?(?:[AP]M)?)/i.exec(text)?.[1] ?? "") ?? null;
  session.intervalSeconds = numberAfter(/Heat Interval: ?(\d+)/);
  session.backstrokeExtraSeconds = numberAfter(/Back \+(\d+)/);
}

/** Null where the day is past the end of the meet: then one of the two was misread. */
function countDays(meet: DateRange | null, day: number | null): string | null {
  if (!meet || day === null || day < 1) return null;
  const date = new Date(`${meet.from}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + day - 1);
  const printed = date.toISOString().slice(0, 10);
  return printed <= meet.to ? printed : null;
}

function readItem(text: string): SessionItem | undefined {
  const found = itemLine.exec(text)?.groups;
  if (!found) return undefined;
  const { round = "", number, name = "", entries = "", heats, time } = found;
  return {
    eventNumber: Number(number),
    eventName: name,
    round,
    entries: Number(entries.replaceAll(",", "")),
    heats: Number(heats),
    startsAt: time === undefined ? null : (readTimeOfDay(time) ?? null),
    heat: null,
  };
}

/**
 * Above `Session Report` stand the program with the day of printing and the number of the page, and a line with the
 * name and the days of the meet.
 */
function readHead(rows: readonly Row[]): Pick<Sheet, "meetName" | "meetDates" | "printedAt"> {
  const texts = rows.map(({ text }) => text);
  const head = texts.slice(
    0,
    texts.findIndex((text) => kindLine.test(text)),
  );
  const order = tellDateOrder(head);
  const isProgram = (text: string) => /\bPage \d+$/.test(text);
  const printedAt = readPrintedAt(head.find(isProgram) ?? "", order);
  for (const text of head) {
    const dates = findDates(text, order).at(-1);
    if (!dates || isProgram(text)) continue;
    const meetName = text.slice(0, dates.start).replace(/[\s,-]+$/, "");
    return { meetName: meetName || null, meetDates: { from: dates.from, to: dates.to }, printedAt };
  }
  return { meetName: null, meetDates: null, printedAt };
}
