/**
 * How likely a pair is a field a person would name: by the sign that joined it, whether its label is known, whether its
 * value has a shape, and how sure the words were recognised. The figures are set so that, over real forms, invoices and
 * receipts, about that share of the pairs with a rating is right.
 */
import type { Word } from "../page.ts";
import type { Pair, PairSign } from "./pair.ts";

interface SignRating {
  /** The label is known by name and the value is of its kind. */
  known: number;
  /** An unknown label, but a date, an amount, a number, a code … as value. */
  typed: number;
  text: number;
}

const ratings: Readonly<Record<PairSign, SignRating>> = {
  colon: { known: 0.95, typed: 0.85, text: 0.72 },
  leader: { known: 0.92, typed: 0.6, text: 0.5 },
  gap: { known: 0.9, typed: 0.5, text: 0.42 },
  prefix: { known: 0.88, typed: 0.4, text: 0.3 },
  above: { known: 0.8, typed: 0.6, text: 0.5 },
  checkbox: { known: 0.9, typed: 0.9, text: 0.9 },
};

/** Longer values are sentences that happen to follow a colon. */
const usualValueWords = 9;

export function ratePair(pair: Pair, page: { proseShare: number }): number {
  const rating = ratings[pair.sign];
  const typed = pair.recognised.shape !== "text";
  const known = pair.notions.length > 0;
  let sure = known ? rating.known : typed ? rating.typed : rating.text;
  if (known && pair.notions.every((match) => !match.exact)) sure -= 0.08;
  if (!known && pair.support >= 3) sure += 0.12;
  // Two texts side by side are as often two entries as a label and its value.
  if (!known && !typed && pair.sign === "gap" && !pair.contrast && pair.support < 3) sure -= 0.2;
  if (!typed && pair.valueWords.length > usualValueWords) sure -= 0.2;
  if (pair.prose) sure -= known && typed ? 0.1 : 0.45;
  // On a page of prose what looks like a label mostly is the start of a remark or a line of code.
  if (!known) sure -= 0.35 * page.proseShare;
  if (!known && pair.valueWords.some((word) => word.mono === true)) sure -= 0.3;
  return Math.max(0, Math.min(known || pair.sign === "checkbox" ? 0.99 : 0.9, sure) * readability(pair.valueWords));
}

/** 1 for words that were read; less for words that were recognised with doubt. */
function readability(words: readonly Word[]): number {
  const doubts = words.map((word) => word.confidence).filter((confidence) => confidence !== undefined);
  if (doubts.length === 0) return 1;
  return 0.55 + 0.45 * (doubts.reduce((sum, confidence) => sum + confidence, 0) / doubts.length);
}
