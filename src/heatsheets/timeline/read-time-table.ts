/** Reads a timeline printed from a browser: a table with the columns TIME, EV, EVENT, ENTRIES and HEATS. */
import type { Word } from "../../layout/page.ts";
import type { Row } from "../group-rows.ts";
import { readDateRange } from "../read-dates.ts";
import { readTimeOfDay } from "../read-time-of-day.ts";
import type { SessionItem, Sheet, SheetSession } from "../sheet.ts";

const headerLine = /^TIME (?:EV|EVENT|EVT|#|NO\.?) EVENT\b/i;
const titleLine = /^(.+?) Timeline$/i;
const startLine = /^(.+?) Starts (\d{1,2}:\d{2} ?(?:[AP]M)?)$/i;

/** In points: cells may begin this far left of their heading. */
const cellSlack = 6;

export function isTimeTable(rows: readonly Row[]): boolean {
  const header = rows.find(({ text }) => headerLine.test(text));
  return header !== undefined && rows.some((row) => readItem(row, header) !== undefined);
}

export function readTimeTable(rows: readonly Row[]): Pick<Sheet, "meetName" | "meetDates" | "printedAt" | "sessions"> {
  const sessions: SheetSession[] = [];
  const titleAt = rows.findIndex(({ text }) => titleLine.test(text));
  const title = titleLine.exec(rows[titleAt]?.text ?? "")?.[1]?.trim() ?? null;
  const above = rows.slice(0, Math.max(titleAt, 0)).map(({ text }) => text);
  const meetDates = above.map((text) => readDateRange(text)).find((dates) => dates !== null) ?? null;
  let header: Row | undefined;
  for (const row of rows) {
    const start = startLine.exec(row.text);
    if (start) sessions.push(newSession(title ?? start[1] ?? null, readTimeOfDay(start[2] ?? "") ?? null));
    else if (headerLine.test(row.text)) header = row;
    else if (header) {
      const item = readItem(row, header);
      if (!item) continue;
      if (sessions.length === 0) sessions.push(newSession(title, null));
      sessions.at(-1)?.items.push(item);
    }
  }
  return { meetName: above[0] ?? null, meetDates, printedAt: null, sessions };
}

function newSession(name: string | null, startsAt: string | null): SheetSession {
  const unknown = { number: null, day: null, date: null, intervalSeconds: null, backstrokeExtraSeconds: null };
  return { ...unknown, name, startsAt, items: [] };
}

/** Rows without a number are warm-ups and breaks. The second of two events swum together has no time of its own. */
function readItem({ words }: Row, header: Row): SessionItem | undefined {
  const [, ev, event, ...others] = header.words.map(({ box }) => box.x - cellSlack);
  if (ev === undefined || event === undefined) return undefined;
  const leftOf = (heading: RegExp) => {
    const found = header.words.find(({ text }) => heading.test(text));
    return found ? found.box.x - cellSlack : Number.POSITIVE_INFINITY;
  };
  const [entriesX, heatsX] = [leftOf(/^ENTRIES$/i), leftOf(/^HEATS$/i)];
  const nameEnd = Math.min(Number.POSITIVE_INFINITY, ...others);
  const cell = (from: number, to: number) => joinWords(words.filter(({ box }) => box.x >= from && box.x < to));
  const number = cell(ev, event);
  const name = cell(event, nameEnd);
  if (!/^\d{1,3}$/.test(number) || name === "") return undefined;
  const [eventName = "", detail] = name.split(/ [—–] /, 2);
  const single = /\bHeat (\d+)(?: of (\d+))?$/i.exec(detail ?? "");
  return {
    eventNumber: Number(number),
    eventName,
    round: single ? null : (detail ?? null),
    entries: toNumber(cell(entriesX, heatsX)),
    heats: toNumber(single?.[2] ?? cell(heatsX, Number.POSITIVE_INFINITY)),
    startsAt: readTimeOfDay(cell(0, ev)) ?? null,
    heat: toNumber(single?.[1] ?? ""),
  };
}

const joinWords = (words: readonly Word[]) => words.map(({ text }) => text).join(" ");
const toNumber = (text: string) => (/^\d+$/.test(text) ? Number(text) : null);
