/**
 * Dates as meets print them (`7/19/2025`, `23/11/2018 to 24/11/2018`, `2026-08-05`, `19.07.2025`, `August 5-8, 2026`,
 * `30 July - 2 August 2026`) as YYYY-MM-DD. Whether 3/4 is in March or in April is told from the other dates of the sheet.
 */
import type { DateRange } from "./sheet.ts";

export type DateOrder = "mdy" | "dmy";

interface FoundDates extends DateRange {
  /** Where in the text they stand: from `start` up to, not including, `end`. */
  start: number;
  end: number;
}

const monthNames = [
  "january janvier januar jan enero janeiro ocak",
  "february fevrier februar feb febrero fevereiro subat",
  "march mars marz maerz mar marzo marco mart",
  "april avril apr abril nisan",
  "may mai mayo maio mayis",
  "june juin juni jun junio junho haziran",
  "july juillet juli jul julio julho temmuz",
  "august aout aug agosto agustos",
  "september septembre sept sep septiembre setembro eylul",
  "october octobre oktober oct okt octubre outubro ekim",
  "november novembre nov noviembre novembro kasim",
  "december decembre dezember dec dez diciembre dezembro aralik",
].map((names) => names.split(" "));

const weekdayNames = [
  "sunday sun domingo sonntag dimanche",
  "monday mon lunes segunda montag lundi",
  "tuesday tues tue martes terca dienstag mardi",
  "wednesday wed miercoles quarta mittwoch mercredi",
  "thursday thurs thur thu jueves quinta donnerstag jeudi",
  "friday fri viernes sexta freitag vendredi",
  "saturday sat sabado samstag sonnabend samedi",
].map((names) => names.split(" "));

const numeric = String.raw`(?<!\d)(?:\d{4}-\d{1,2}-\d{1,2}|\d{1,2}([/.-])\d{1,2}\1(?:\d{4}|\d{2}))(?!\d)`;
const day = String.raw`\d{1,2}(?:st|nd|rd|th|\.)?`;
const month = String.raw`\p{L}{3,10}\.?`;
const dash = String.raw`\s*(?:-|–|—|&|to|bis|al?)\s*`;
const year = String.raw`(?:,|\s+de)?\s*(?:\d{4})(?!\d)`;
const spelled = [
  `(?<m1>${month})\\s+(?<d1>${day})(?:${dash}(?:(?<m2>${month})\\s+)?(?<d2>${day}))?`,
  `(?<d1>${day})(?:\\s+(?:de\\s+)?(?<m1>${month}))?${dash}(?<d2>${day})\\s+(?:de\\s+)?(?<m2>${month})`,
  `(?<d1>${day})\\s+(?:de\\s+)?(?<m1>${month})`,
];

/** All dates of a text; two joined by a dash or "to" are one range. */
export function findDates(text: string, order: DateOrder = "mdy"): FoundDates[] {
  const found = [...findNumeric(text, order), ...findSpelled(text)].sort((a, b) => a.start - b.start);
  const ranges: FoundDates[] = [];
  for (const next of found) {
    const last = ranges.at(-1);
    if (last && next.start < last.end) continue;
    const joined =
      last && joins.test(text.slice(last.end, next.start)) && last.from === last.to && next.to >= last.from;
    if (joined) Object.assign(last, { to: next.to, end: next.end });
    else ranges.push(next);
  }
  return ranges;
}

const joins = new RegExp(`^${dash}$`, "i");

/** The first date or range of a text. */
export function readDateRange(text: string, order: DateOrder = "mdy"): DateRange | null {
  const [first] = findDates(text, order);
  return first ? { from: first.from, to: first.to } : null;
}

/**
 * Which part of the dates with slashes is the day, from all of a sheet's together (its date of printing included): a
 * part over 12 decides, then a range that would run backwards. What stays open is read the American way.
 */
export function tellDateOrder(texts: readonly string[]): DateOrder {
  for (const text of texts) {
    for (const [, first, second] of text.matchAll(/(?<![\d/])(\d{1,2})\/(\d{1,2})\/(?:\d{4}|\d{2})(?!\d)/g)) {
      if (Number(first) > 12) return "dmy";
      if (Number(second) > 12) return "mdy";
    }
  }
  const runsBackwards = texts.some((text) => {
    const [first, second] = findNumeric(text, "mdy");
    return first && second && second.from < first.from && joins.test(text.slice(first.end, second.start));
  });
  return runsBackwards ? "dmy" : "mdy";
}

/** The day of a meet that a session's name speaks of: "Friday Prelims", "April 25th", "Day 2 Finals". */
export function readSessionDay(sessionName: string, meet: DateRange | null): string | null {
  const [printed] = findDates(sessionName);
  if (printed) return printed.from === printed.to ? printed.from : null;
  if (!meet) return null;
  const days = listDays(meet);
  if (days.length === 1) return meet.from;
  const words = plainWords(sessionName);
  const byMonth = days.filter((date) => {
    const names = monthNames[Number(date.slice(5, 7)) - 1] ?? [];
    const number = String(Number(date.slice(8)));
    return words.some(
      (word, i) => names.includes(word) && [words[i + 1], words[i - 1]].some((near) => dayOf(near) === number),
    );
  });
  if (byMonth.length === 1) return byMonth[0] ?? null;
  const named = weekdayNames.findIndex((names) => words.some((word) => names.includes(word)));
  const byWeekday = days.filter((date) => new Date(`${date}T00:00:00Z`).getUTCDay() === named);
  if (byWeekday.length === 1) return byWeekday[0] ?? null;
  const counted = /\bday\s*#?\s*(\d)\b/i.exec(sessionName)?.[1];
  return (counted && days[Number(counted) - 1]) || null;
}

const dayOf = (word: string | undefined) => word?.replace(/(?:st|nd|rd|th)$/, "");

/** A meet that lasts longer has no day that its weekday names. */
const longestMeet = 31;

function listDays({ from, to }: DateRange): string[] {
  const days: string[] = [];
  const at = new Date(`${from}T00:00:00Z`);
  while (days.length < longestMeet) {
    const date = at.toISOString().slice(0, 10);
    if (date > to) break;
    days.push(date);
    at.setUTCDate(at.getUTCDate() + 1);
  }
  return days;
}

function findNumeric(text: string, order: DateOrder): FoundDates[] {
  return [...text.matchAll(new RegExp(numeric, "g"))].flatMap((match) => {
    const date = readNumeric(match[0], order);
    return date ? [{ from: date, to: date, start: match.index, end: match.index + match[0].length }] : [];
  });
}

function readNumeric(text: string, order: DateOrder): string | null {
  const [a = 0, b = 0, c = 0] = text.split(/[/.-]/).map(Number);
  if (/^\d{4}-/.test(text)) return toDate(a, b, c);
  const year = c > 99 ? c : c > 69 ? 1900 + c : 2000 + c;
  const dayFirst = order === "dmy" || !text.includes("/");
  return dayFirst ? (toDate(year, b, a) ?? toDate(year, a, b)) : (toDate(year, a, b) ?? toDate(year, b, a));
}

function findSpelled(text: string): FoundDates[] {
  const found: FoundDates[] = [];
  for (const form of spelled) {
    for (const match of text.matchAll(new RegExp(`(?<![\\p{L}\\d])${form}(?<y>${year})`, "giu"))) {
      const { d1 = "", m1, d2, m2, y = "" } = match.groups ?? {};
      const fullYear = Number(y.replace(/\D/g, ""));
      const to = toDate(fullYear, monthOf(m2 ?? m1), Number.parseInt(d2 ?? d1, 10));
      const from = toDate(fullYear, monthOf(m1 ?? m2), Number.parseInt(d1, 10));
      const end = match.index + match[0].length;
      const free = found.every((other) => other.end <= match.index || other.start >= end);
      if (from && to && from <= to && free) found.push({ from, to, start: match.index, end });
    }
  }
  return found;
}

function monthOf(name = ""): number {
  const [plain = ""] = plainWords(name);
  return monthNames.findIndex((names) => names.includes(plain)) + 1;
}

function plainWords(text: string): string[] {
  const plain = text.normalize("NFD").replace(/\p{M}/gu, "").replaceAll("ı", "i").toLowerCase();
  return plain.match(/[\p{L}\d]+/gu) ?? [];
}

function toDate(year: number, month: number, day: number): string | null {
  const date = new Date(Date.UTC(year, month - 1, day));
  const exists = year >= 1900 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return exists ? date.toISOString().slice(0, 10) : null;
}
