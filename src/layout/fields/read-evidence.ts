/**
 * What a whole page proves about its way of writing: whether the day or the month comes first, which mark is the decimal
 * one and which currency is meant. What the page does not prove, or proves both ways, stays undecided.
 */
import { type DecimalMark, parseAmount, readCurrency } from "./parse-amount.ts";
import { type DayMonthOrder, parseDate } from "./parse-date.ts";
import type { Row } from "./read-rows.ts";

export interface PageEvidence {
  dayMonthOrder?: DayMonthOrder;
  decimalMark?: DecimalMark;
  /** The one currency the page names; an ISO code, or a sign shared by several. */
  currency?: string;
}

/** Currencies of places that write the day first. */
const dayFirstCurrencies = new Set(["EUR", "GBP", "MYR", "CHF", "INR", "SGD", "AUD", "NZD", "BRL", "MXN"]);
const unitedStates = /\b[A-Z][a-z]+,?\s[A-Z]{2}\s\d{5}(?:-\d{4})?\b/;
const dayFirstWords =
  /\b(?:rechnung|datum|straße|strasse|mwst|facture|montant|échéance|factura|fecha|fattura|totale|factuur|bedrag|sdn\.? bhd|gst (?:id|no|reg)|pvt\.? ltd)\b/i;

export function readEvidence(rows: readonly Row[]): PageEvidence {
  const orders = { "day-month": 0, "month-day": 0 };
  const marks = { ".": 0, ",": 0 };
  const currencies = new Map<string, number>();
  let american = false;
  let dayFirst = false;
  for (const { text } of rows.flatMap((row) => row.segments)) {
    american ||= unitedStates.test(text);
    dayFirst ||= dayFirstWords.test(text);
    if (!/[\d]/.test(text)) continue;
    const date = parseDate(text);
    if (date?.proves === "day-month" || date?.proves === "month-day") orders[date.proves]++;
    const rest = date ? text.slice(date.end) : text;
    const amount = parseAmount(rest);
    if (amount?.proves !== undefined) marks[amount.proves]++;
    if (amount?.currency !== undefined) currencies.set(amount.currency, (currencies.get(amount.currency) ?? 0) + 1);
  }
  for (const { text } of rows.flatMap((row) => row.segments)) {
    const named = /(?:^|[\s(])(EUR|USD|CHF|GBP|RM|INR|MYR|€|£|Rs|US Dollars?)(?:[\s).:]|$)/.exec(text)?.[1];
    if (named !== undefined) {
      const currency = named.startsWith("US ") ? "USD" : readCurrency(named);
      if (currency !== undefined) currencies.set(currency, (currencies.get(currency) ?? 0) + 1);
    }
  }
  const [first, second] = [...currencies].sort((a, b) => b[1] - a[1]);
  // "$" with "US Dollars" somewhere on the page is that.
  const currency = first?.[0] === "$" && second?.[0].endsWith("D") ? second[0] : first?.[0];
  const dayMonthOrder = decideOrder(orders, { american, dayFirst: dayFirst || dayFirstCurrencies.has(currency ?? "") });
  const decimalMark = decideMark(marks);
  return {
    ...(dayMonthOrder !== undefined && { dayMonthOrder }),
    ...(decimalMark !== undefined && { decimalMark }),
    ...(currency !== undefined && { currency }),
  };
}

function decideOrder(
  orders: Record<DayMonthOrder, number>,
  hints: { american: boolean; dayFirst: boolean },
): DayMonthOrder | undefined {
  if (orders["day-month"] > 0 !== orders["month-day"] > 0) return orders["day-month"] > 0 ? "day-month" : "month-day";
  if (orders["day-month"] > 0 || hints.american === hints.dayFirst) return undefined;
  return hints.american ? "month-day" : "day-month";
}

/** A page of one mark has slips of the other (a version number, a misread comma): four to one is proof enough. */
function decideMark(marks: Record<DecimalMark, number>): DecimalMark | undefined {
  if (marks["."] > 4 * marks[","]) return ".";
  if (marks[","] > 4 * marks["."]) return ",";
  return undefined;
}
