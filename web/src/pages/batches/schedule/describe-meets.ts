/** The meets of some sheets, each in a line: name, dates, place. */
import type { SheetFacts } from "../../../../../src/contract/batches.ts";
import { formatDates } from "./swim-words.ts";

export function describeMeets(sheets: readonly SheetFacts[]): string[] {
  const lines = sheets
    .filter(({ meetName }) => meetName !== null)
    .map(({ meetName, meetDateRange, sessionDate, venue }) => {
      const dates = meetDateRange ?? sessionDate;
      return [meetName, dates && formatDates(dates), venue].filter(Boolean).join(" · ");
    });
  return [...new Set(lines)];
}
