/**
 * Reads a number or an amount of money out of a short text: `1.234,56 €`, `$1,234.56`, `RM 12.00`, `(31,000.00)`, `CHF 1'234.-`.
 * Where the decimal mark cannot be told (`1.234`), the value stays undecided (no `decimal`) until the caller knows the page's.
 */
export type DecimalMark = "." | ",";

export interface FoundAmount {
  /** With its currency, as printed. */
  text: string;
  start: number;
  end: number;
  /** A plain decimal like -1234.56; missing while the decimal mark is undecided. */
  decimal?: string;
  /** An ISO code where one is meant, else the sign as printed ("$" is many currencies). */
  currency?: string;
  percent: boolean;
  /** How many digits follow the decimal mark; 0 for whole and undecided numbers. */
  fraction: number;
  /** What the number proves about the page's decimal mark. */
  proves?: DecimalMark;
}

const currencyBySign: Readonly<Record<string, string>> = {
  "€": "EUR",
  eur: "EUR",
  euro: "EUR",
  euros: "EUR",
  "£": "GBP",
  gbp: "GBP",
  "¥": "JPY",
  jpy: "JPY",
  "₹": "INR",
  inr: "INR",
  rs: "INR",
  "rs.": "INR",
  rm: "MYR",
  myr: "MYR",
  chf: "CHF",
  "fr.": "CHF",
  sfr: "CHF",
  usd: "USD",
  us$: "USD",
  cad: "CAD",
  c$: "CAD",
  aud: "AUD",
  a$: "AUD",
  nzd: "NZD",
  sgd: "SGD",
  s$: "SGD",
  hkd: "HKD",
  hk$: "HKD",
  brl: "BRL",
  r$: "BRL",
  cny: "CNY",
  rmb: "CNY",
  sek: "SEK",
  nok: "NOK",
  dkk: "DKK",
  kr: "kr",
  "kr.": "kr",
  pln: "PLN",
  zł: "PLN",
  czk: "CZK",
  kč: "CZK",
  huf: "HUF",
  ron: "RON",
  zar: "ZAR",
  try: "TRY",
  "₺": "TRY",
  rub: "RUB",
  "₽": "RUB",
  thb: "THB",
  "฿": "THB",
  php: "PHP",
  "₱": "PHP",
  idr: "IDR",
  rp: "IDR",
  mxn: "MXN",
  ils: "ILS",
  "₪": "ILS",
  krw: "KRW",
  "₩": "KRW",
  vnd: "VND",
  "₫": "VND",
  aed: "AED",
  $: "$",
};

const sign = Object.keys(currencyBySign)
  .sort((a, b) => b.length - a.length)
  .map((word) => word.replace(/[.$]/g, "\\$&"))
  .join("|");
const digits =
  "\\d{1,3}(?:(?:[.,'’\\u00a0\\u202f ]\\d{3})+|(?:,\\d{2,3})+,\\d{3})(?:[.,]\\d{1,4})?(?!\\d)|\\d+(?:[.,]\\d+)?|\\.\\d+";
const amount = new RegExp(
  `(?<![\\p{L}\\d.,])(?<open>\\()?(?<minusA>[-–−])?(?:(?<before>${sign})\\.?\\s{0,3})?(?<minusB>[-–−])?(?<number>${digits})(?<dash>[.,][-–—])?(?<close>\\))?(?<minusC>-(?![\\d\\p{L}]))?\\s{0,2}(?<after>%|(?:${sign})(?![\\p{L}\\d]))?`,
  "iu",
);

/** The first number in the text, or undefined. */
export function parseAmount(text: string, mark?: DecimalMark): FoundAmount | undefined {
  if (text.length > 400) return undefined;
  const match = amount.exec(text);
  const { groups } = match ?? {};
  if (!match || !groups?.number) return undefined;
  const plain = toDecimal(groups.number, mark);
  const negative =
    groups.minusA !== undefined ||
    groups.minusB !== undefined ||
    groups.minusC !== undefined ||
    (groups.open !== undefined && groups.close !== undefined);
  const percent = groups.after === "%";
  const currency = readCurrency(groups.before ?? (percent ? undefined : groups.after));
  return {
    text: match[0].trim(),
    start: match.index,
    end: match.index + match[0].trimEnd().length,
    percent,
    fraction: plain.fraction,
    ...(plain.decimal !== undefined && {
      decimal: negative && /[1-9]/.test(plain.decimal) ? `-${plain.decimal}` : plain.decimal,
    }),
    ...(currency !== undefined && { currency }),
    ...(plain.proves !== undefined && { proves: plain.proves }),
  };
}

/** The currency a word names: the ISO code, or the sign itself where it is shared by several. */
export function readCurrency(word: string | undefined): string | undefined {
  if (word === undefined) return undefined;
  const key = word.toLowerCase();
  return Object.hasOwn(currencyBySign, key) ? currencyBySign[key] : undefined;
}

function toDecimal(
  number: string,
  mark: DecimalMark | undefined,
): { decimal?: string; fraction: number; proves?: DecimalMark } {
  const marks = [...number].filter((character) => character === "." || character === ",");
  const spaced = /[\s'’\u00a0\u202f]/.test(number);
  const last = marks.at(-1) as DecimalMark | undefined;
  if (last === undefined) return { decimal: join(number), fraction: 0 };
  const tail = number.length - number.lastIndexOf(last) - 1;
  const both = marks.some((other) => other !== last);
  if (both) return split(number, last);
  const other: DecimalMark = last === "." ? "," : ".";
  if (marks.length > 1) return { decimal: join(number), fraction: 0, proves: other };
  if (tail !== 3 || spaced) return split(number, last);
  // 0.123 and .025 are never grouped thousands.
  if (/^[0.]/.test(number)) return split(number, last);
  if (mark === undefined) return { fraction: 0 };
  if (mark === last) return { decimal: split(number, last).decimal ?? "", fraction: tail };
  return { decimal: join(number), fraction: 0 };
}

function split(number: string, mark: DecimalMark): { decimal: string; fraction: number; proves: DecimalMark } {
  const at = number.lastIndexOf(mark);
  const fraction = number.slice(at + 1);
  return { decimal: `${join(number.slice(0, at))}.${fraction}`, fraction: fraction.length, proves: mark };
}

function join(number: string): string {
  return number.replace(/\D/g, "").replace(/^0+(?=\d)/, "") || "0";
}
