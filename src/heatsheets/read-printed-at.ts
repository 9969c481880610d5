/** Reads when a sheet was printed from the line that says so: "Stand: 01.12.2022, 18:41:35 Uhr". */
import { type DateOrder, findDates } from "./read-dates.ts";
import { readTimeOfDay } from "./read-time-of-day.ts";

/** YYYY-MM-DD, and THH:MM where a time of the day stands right before or behind the date. */
export function readPrintedAt(line: string, order: DateOrder): string | null {
  const date = findDates(line, order).at(-1);
  if (!date) return null;
  const behind = /^[,\s]*(\d{1,2}:\d{2})(?::\d{2})?( ?[AP]M\b)?/i.exec(line.slice(date.end));
  const before = /(\d{1,2}:\d{2})(?::\d{2})?( ?[AP]M)?[,\s]*$/i.exec(line.slice(0, date.start));
  const [, time = "", half = ""] = behind ?? before ?? [];
  const at = readTimeOfDay(`${time}${half}`);
  return at === undefined ? date.from : `${date.from}T${at}`;
}
