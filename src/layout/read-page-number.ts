/** Reads page numbers as they stand at the edges of pages: 17, xiv, 17 / 27. */

const values: Record<string, number> = { i: 1, v: 5, x: 10, l: 50, c: 100 };
/** Canonical up to 399, so that "mix" or "civil" are words. */
const roman = /^c{0,3}(xc|xl|l?x{0,3})(ix|iv|v?i{0,3})$/i;

/** The value of a roman numeral that is all small or all large, or undefined. */
function romanValue(text: string): number | undefined {
  if (text === "" || !roman.test(text) || (text !== text.toLowerCase() && text !== text.toUpperCase()))
    return undefined;
  let sum = 0;
  let next = 0;
  for (const letter of text.toLowerCase().split("").reverse()) {
    const value = values[letter] ?? 0;
    sum += value < next ? -value : value;
    next = Math.max(next, value);
  }
  return sum;
}

const firstNumber = /^\D{0,3}(\d{1,6})(?=\s|$)/;
const lastNumber = /(?:^|\s)(\d{1,6})(?:\s*(?:\/|of|von|de|sur)\s*\d{1,6})?[^\d.,;]{0,3}$/;
const edgeRoman = /^([ivxlc]{1,8})(?=\s)|(?:^|\s)([ivxlc]{1,8})$/gi;

/** Numbers with which a text begins or ends. */
export function numbersAtEnds(text: string): { value: number; roman: boolean }[] {
  const numbers: { value: number; roman: boolean }[] = [];
  const first = firstNumber.exec(text)?.[1];
  const last = lastNumber.exec(text)?.[1];
  if (first !== undefined) numbers.push({ value: Number(first), roman: false });
  if (last !== undefined && last !== first) numbers.push({ value: Number(last), roman: false });
  for (const [, before, behind] of text.matchAll(edgeRoman)) {
    const value = romanValue(before ?? behind ?? "");
    if (value !== undefined) numbers.push({ value, roman: true });
  }
  return numbers;
}

/** The text with one sign for every number in it. */
export function withoutNumbers(text: string): string {
  return text
    .replace(/\d+/g, "#")
    .replace(edgeRoman, (match) =>
      match.replace(/\S+/, (numeral) => (romanValue(numeral) === undefined ? numeral : "#")),
    );
}
