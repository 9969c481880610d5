/** Reads the number of a heading as printed or as OCR took it: 3, III, three, "l" for 1, "1O" for 10, "l.2" for 1.2. */

const written =
  `one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen
eighteen nineteen twenty`.split(/\s+/);
const ranks = `first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth`.split(/\s+/);
const romanValues: Record<string, number> = { I: 1, V: 5, X: 10, L: 50 };
/** Canonical up to 89, so that "MIX" or "I'LL" are no numbers. */
const roman = /^(L?X{0,3}|XL)(IX|IV|V?I{0,3})$/;
const lookalikes: Record<string, string> = {
  l: "1",
  I: "1",
  i: "1",
  "|": "1",
  "!": "1",
  o: "0",
  O: "0",
  S: "5",
  B: "8",
  Z: "2",
};

/** The number of a chapter, unit or lesson, or null. */
export function readOrdinal(token: string): string | null {
  const bare = token.replace(/[.:,)–—-]+$/, "");
  if (/^\d{1,3}$/.test(bare)) return String(Number(bare));
  const word = bare.toLowerCase();
  if (written.includes(word)) return String(written.indexOf(word) + 1);
  if (ranks.includes(word)) return String(ranks.indexOf(word) + 1);
  // A lone small l is a 1; a lone capital I is one either way.
  if (/^[l|!]$/.test(bare)) return "1";
  if (bare !== "" && roman.test(bare)) return String(romanValue(bare));
  if (/^[ivx]{1,5}$/.test(bare) && roman.test(bare.toUpperCase())) return String(romanValue(bare.toUpperCase()));
  return readDigits(bare);
}

/** "1O" and "l2" are numbers, "lo" is none: one true digit at least. */
function readDigits(token: string): string | null {
  if (!/\d/.test(token) || !/^[\dlIi|!oOSBZ]{1,3}$/.test(token)) return null;
  const digits = [...token].map((sign) => lookalikes[sign] ?? sign).join("");
  return String(Number(digits));
}

function romanValue(numeral: string): number {
  let sum = 0;
  let next = 0;
  for (const letter of [...numeral].reverse()) {
    const value = romanValues[letter] ?? 0;
    sum += value < next ? -value : value;
    next = Math.max(next, value);
  }
  return sum;
}

const decimal = /^((?:[\dlIO|]{1,3}|[A-Z])(?:[.,·] ?[\dlIO|]{1,3}){1,4})[.:)]?(?= )/;

/** "1.2", "l.2" and "1. 2" at the beginning of a line, with what is left of it; null where the line begins otherwise. */
export function readDecimal(line: string): { number: string; rest: string } | null {
  const match = decimal.exec(line);
  const printed = match?.[1];
  if (match === null || printed === undefined) return null;
  const steps = printed.split(/[.,·] ?/);
  // "I. I" is no number: somewhere there is a true digit.
  if (!/\d/.test(printed)) return null;
  const [first = ""] = steps;
  const digits = steps.map((step, index) =>
    index === 0 && /^[A-HJ-NP-Z]$/.test(step) ? step : readDigitsLoosely(step),
  );
  if (digits.includes("NaN") || (first.length > 2 && /^\d/.test(first))) return null;
  return { number: digits.join("."), rest: line.slice(match[0].length).trim() };
}

function readDigitsLoosely(step: string): string {
  return String(Number([...step].map((sign) => lookalikes[sign] ?? sign).join("")));
}
