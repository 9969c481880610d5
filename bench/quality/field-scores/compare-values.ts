/** Compares values as a reader would: dates and amounts by what they say, texts by their letters and digits. */
import { parseAmount } from "../../../src/layout/fields/parse-amount.ts";
import { parseDate } from "../../../src/layout/fields/parse-date.ts";

export type TruthKind = "text" | "date" | "amount";

/** 1 for equal values, less the more characters differ; dates and amounts are equal or not. */
export function compareValues(kind: TruthKind, found: { value: string; normalized?: string }, truth: string): number {
  switch (kind) {
    case "date":
      return found.normalized !== undefined && found.normalized === truthDate(truth) ? 1 : 0;
    case "amount": {
      const [a, b] = [Number(found.normalized ?? Number.NaN), Number(parseAmount(truth, ".")?.decimal ?? Number.NaN)];
      return Math.abs(a - b) < 0.005 ? 1 : 0;
    }
    case "text":
      return Math.max(similarity(found.value, truth), similarity(found.normalized ?? "", truth));
  }
}

/** 1 minus the edits needed per character, over letters and digits only. */
export function similarity(a: string, b: string): number {
  const [left, right] = [simplify(a), simplify(b)];
  const longest = Math.max(left.length, right.length);
  return longest === 0 ? 0 : 1 - editDistance(left, right) / longest;
}

/** The truth's dates: ISO, YYYYMMDD, or day first as on the receipts it was taken from. */
function truthDate(text: string): string | undefined {
  const compact = /^(\d{4})(\d{2})(\d{2})$/.exec(text);
  return compact ? `${compact[1]}-${compact[2]}-${compact[3]}` : parseDate(text, "day-month")?.iso;
}

function simplify(text: string): string {
  return text
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "");
}

function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const replace = (previous[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      current.push(Math.min(replace, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[b.length] ?? 0;
}
