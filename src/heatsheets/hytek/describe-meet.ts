/** What the furniture of all pages says together about the meet: its name, dates, place, and the sessions of the pages. */
import { type DateOrder, findDates, readSessionDay, tellDateOrder } from "../read-dates.ts";
import { readPrintedAt } from "../read-printed-at.ts";
import type { DateRange, Sheet } from "../sheet.ts";
import type { Furniture } from "./read-furniture.ts";

type MeetFacts = Pick<Sheet, "meetName" | "meetDates" | "sessionName" | "sessionDate" | "venue" | "printedAt">;

type FurnitureText = Pick<Furniture, "sessionName" | "printLine" | "titleLines">;

export function describeMeet(pages: readonly FurnitureText[]): MeetFacts {
  const order = tellDateOrder(pages.flatMap(({ printLine, titleLines }) => [...titleLines, printLine ?? ""]));
  const titled = pages.find(({ titleLines }) => titleLines.length > 0);
  const title = readTitle(titled?.titleLines ?? [], order);
  const sessions = new Set(pages.map(({ sessionName }) => sessionName));
  const [sessionName = null] = sessions.size === 1 ? sessions : [];
  const days = new Set([...sessions].map((name) => dateSession(name, title.meetDates)));
  const [sessionDate = null] = days.size === 1 ? days : [];
  // Programs of several sessions, printed one after the other, may be bound together.
  const printed = pages.flatMap(({ printLine }) => (printLine && readPrintedAt(printLine, order)) || []);
  return { ...title, sessionName, sessionDate, printedAt: printed.sort().at(-1) ?? null };
}

/** The day of a page's session, where the meet has one day or the name says which. */
export function dateSession(sessionName: string | null, meet: DateRange | null): string | null {
  if (sessionName !== null) return readSessionDay(sessionName, meet);
  return meet && meet.from === meet.to ? meet.from : null;
}

function readTitle(lines: readonly string[], order: DateOrder): Pick<MeetFacts, "meetName" | "meetDates" | "venue"> {
  const dated = lines.map((line) => ({ line, dates: findDates(line, order)[0] })).find(({ dates }) => dates);
  const [first] = lines;
  const meetName = first === undefined ? null : cleanName(withoutDates(first, order));
  const meetDates = dated?.dates ? { from: dated.dates.from, to: dated.dates.to } : null;
  // Dates that stand on a line of their own have the place before them.
  const place = dated?.dates && dated.line !== first ? cleanName(dated.line.slice(0, dated.dates.start)) : null;
  return { meetName, meetDates, venue: place };
}

function withoutDates(line: string, order: DateOrder): string {
  const [dates] = findDates(line, order);
  return dates ? line.slice(0, dates.start) : line;
}

function cleanName(text: string): string | null {
  const name = text
    .replace(/,?\s*Sanction\s*#?:.*$/i, "")
    .replace(/[\s,–-]+$/, "")
    .trim();
  return name === "" ? null : name;
}
