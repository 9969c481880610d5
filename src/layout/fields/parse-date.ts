/**
 * Reads a date out of a short text, in the ways dates are written in Europe, the Americas and East Asia. A date whose day
 * and month could be swapped stays undecided (no `iso`) until the caller knows the page's order; an impossible date is none.
 */
import { readMonthName } from "./month-names.ts";

export type DayMonthOrder = "day-month" | "month-day";

export interface FoundDate {
  /** As printed. */
  text: string;
  start: number;
  end: number;
  /** YYYY-MM-DD; missing while the order of day and month is undecided. */
  iso?: string;
  /** Of a date in digits with the year last: what it proves about the order, "either" when it proves nothing. */
  proves?: DayMonthOrder | "either";
}

const cjk = /(\d{4})\s*[年년]\s*(\d{1,2})\s*[月월]\s*(\d{1,2})\s*[日일]/;
const yearFirst = /(?<![\d.,/-])((?:19|20)\d{2})\s?([-/.])\s?(\d{1,2})\s?\2\s?(\d{1,2})(?!\d|[-/.,]\d)/;
const yearLast = /(?<![\d.,/-])(\d{1,2})\s?([-/.])\s?(\d{1,2})\s?\2\s?((?:19|20)\d{2}|\d{2})(?![\d%]|[-/.,]\d)/;
const dayMonthName =
  /(?<![\d.,])(\d{1,2})(?:\.|st|nd|rd|th|er|º|°)?[\s/-]{0,2}(?:de\s|of\s|di\s)?([\p{L}]{3,10})\.?,?[\s/-]{0,2}(?:de\s|del\s)?((?:19|20)\d{2}|['’]?\d{2}(?![\d:.,]))(?!\d)/u;
const monthNameDay = /(?<!\p{L})([\p{L}]{3,10})\.?\s{0,2}(\d{1,2})(?:st|nd|rd|th)?\s?,?\s{0,2}((?:19|20)\d{2})(?!\d)/u;

/** The first date in the text, or undefined. */
export function parseDate(text: string, order?: DayMonthOrder): FoundDate | undefined {
  if (text.length > 400 || !/\d/.test(text)) return undefined;
  const found = [
    readCjk(text),
    readYearFirst(text),
    readYearLast(text, order),
    readDayMonthName(text),
    readMonthNameDay(text),
  ].filter((date) => date !== undefined);
  return found.sort((a, b) => a.start - b.start || b.end - a.end)[0];
}

function readCjk(text: string): FoundDate | undefined {
  const match = cjk.exec(text);
  return match ? place(match, toIso(match[1], match[2], match[3])) : undefined;
}

function readYearFirst(text: string): FoundDate | undefined {
  const match = yearFirst.exec(text);
  return match ? place(match, toIso(match[1], match[3], match[4])) : undefined;
}

function readYearLast(text: string, order: DayMonthOrder | undefined): FoundDate | undefined {
  const match = yearLast.exec(text);
  if (!match) return undefined;
  const [, first, mark, second, year] = match;
  // 2.2.22 is the number of a version or a section.
  if (mark === "." && `${first}${second}${year}`.length < 5) return undefined;
  const dayFirst = toIso(year, second, first);
  const monthFirst = toIso(year, first, second);
  if (dayFirst === undefined && monthFirst === undefined) return undefined;
  const at = { text: match[0], start: match.index, end: match.index + match[0].length };
  if (monthFirst === undefined) return { ...at, iso: dayFirst, proves: "day-month" };
  if (dayFirst === undefined) return { ...at, iso: monthFirst, proves: "month-day" };
  if (dayFirst === monthFirst) return { ...at, iso: dayFirst, proves: "either" };
  // Nobody who writes the month first separates with dots.
  const decided = mark === "." ? "day-month" : order;
  if (decided === undefined) return { ...at, proves: "either" };
  return { ...at, iso: decided === "day-month" ? dayFirst : monthFirst, proves: "either" };
}

function readDayMonthName(text: string): FoundDate | undefined {
  const match = dayMonthName.exec(text);
  const month = match?.[2] === undefined ? undefined : readMonthName(match[2]);
  return match && month !== undefined
    ? place(match, toIso(match[3]?.replace(/\D/g, ""), `${month}`, match[1]))
    : undefined;
}

function readMonthNameDay(text: string): FoundDate | undefined {
  const match = monthNameDay.exec(text);
  const month = match?.[1] === undefined ? undefined : readMonthName(match[1]);
  return match && month !== undefined ? place(match, toIso(match[3], `${month}`, match[2])) : undefined;
}

function place(match: RegExpExecArray, iso: string | undefined): FoundDate | undefined {
  if (iso === undefined) return undefined;
  return { text: match[0], start: match.index, end: match.index + match[0].length, iso };
}

function toIso(
  yearText: string | undefined,
  monthText: string | undefined,
  dayText: string | undefined,
): string | undefined {
  const month = Number(monthText);
  const day = Number(dayText);
  let year = Number(yearText);
  // Two digits: documents name years of the last decades and of the next few.
  if (yearText?.length === 2) year += year >= 50 ? 1900 : 2000;
  if (!(month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month))) return undefined;
  return `${year}-${`${month}`.padStart(2, "0")}-${`${day}`.padStart(2, "0")}`;
}

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}
