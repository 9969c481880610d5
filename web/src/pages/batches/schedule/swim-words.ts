/** What is said of a swim, in the words of the pool. */
import type { SwimEvent } from "../../../../../src/contract/batches.ts";

const clock = new Intl.DateTimeFormat(undefined, { hour: "numeric", minute: "2-digit", timeZone: "UTC" });
const month = new Intl.DateTimeFormat("en", { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" });

/** HH:MM as it is written where the reader lives, in parts: "AM" is to be smaller than the digits. */
export function formatStart(time: string): { text: string; small: boolean }[] {
  const parts = clock.formatToParts(new Date(`2000-01-01T${time}:00Z`));
  return parts.map(({ type, value }) => ({ text: value, small: type === "dayPeriod" }));
}

/** "June 14, 2031" or "June 14 – 15, 2031". */
export function formatDates(range: string): string {
  const [from = "", to = from] = range.split(" - ");
  return month.formatRange(new Date(`${from}T00:00:00Z`), new Date(`${to}T00:00:00Z`));
}

/** "Seewald, Nora" → "Nora Seewald". */
export function plainName(name: string): string {
  const [last, first, ...rest] = name.split(",").map((part) => part.trim());
  return first && rest.length === 0 ? `${first} ${last}` : name;
}

const ordinals = new Intl.PluralRules("en", { type: "ordinal" });
const endings: Readonly<Record<string, string>> = { one: "st", two: "nd", few: "rd" };

/** 1 → "1st". */
export function formatPlace(place: number): string {
  return `${place}${endings[ordinals.select(place)] ?? "th"}`;
}

/** What is small print: round, team, age and what is out of the ordinary. */
export function describeSwim({ round, team, age, exhibition, alternate }: SwimEvent): string {
  const parts = [round, team, age && describeAge(age), exhibition && "exhibition", alternate && "alternate"];
  return parts.filter(Boolean).join(" · ");
}

/** Sheets print ages, years of birth or school years in the same column. */
function describeAge(age: string): string {
  if (/^\d{1,2}$/.test(age)) return `age ${age}`;
  return /^\d{4}$/.test(age) ? `born ${age}` : age;
}
