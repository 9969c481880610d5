/** A label with its value as found on the page, before it is rated and becomes a field. */
import type { Word } from "../page.ts";
import { type NotionName, type NotionType, notions } from "./label-synonyms.ts";
import type { LabelMatch } from "./match-label.ts";
import { readCurrency } from "./parse-amount.ts";
import type { PageEvidence } from "./read-evidence.ts";
import { textOf } from "./read-rows.ts";
import { type RecognisedValue, recogniseValue } from "./recognise-value.ts";

/** By which sign the value was told to belong to the label. */
export type PairSign = "colon" | "leader" | "gap" | "prefix" | "above" | "checkbox";

/** What the finders know of the page. */
export interface PairFinder {
  evidence: PageEvidence;
  /** Words were recognised, so labels may be misread by a character. */
  misread: boolean;
}

export interface Pair {
  label: string;
  value: string;
  valueWords: Word[];
  sign: PairSign;
  /** The notions that the label names and whose values look like this one. */
  notions: readonly LabelMatch[];
  recognised: RecognisedValue;
  /** Both stand in running text. */
  prose: boolean;
  /** Label and value are set differently, or joined by a leader. */
  contrast: boolean;
  /** How many pairs of the page have their values in the same column. */
  support: number;
}

interface PairParts {
  label: string;
  matches: readonly LabelMatch[];
  valueWords: readonly Word[];
  sign: PairSign;
  prose: boolean;
}

export function makePair(parts: PairParts, evidence: PageEvidence): Pair {
  const valueWords = trimValue(parts.valueWords);
  const value = textOf(valueWords).replace(/^[:;=]\s*/, "");
  const recognised = recogniseValue(value, evidence);
  const fitting = parts.matches.filter((match) => fits(match, value, recognised));
  // A whole number is money when its label says so.
  const money = recognised.shape === "number" && fitting.some((match) => notions[match.notion].type === "amount");
  return {
    label: trimLabel(parts.label),
    value,
    valueWords,
    sign: parts.sign,
    notions: fitting,
    recognised: money ? { ...recognised, shape: "amount", kind: "amount" } : recognised,
    prose: parts.prose,
    contrast: false,
    support: 1,
  };
}

/** Names that stand in many sentences and headings too: across a gap they need more than a value with letters in it. */
export function isLooseNotion(notion: NotionName): boolean {
  return notions[notion].type === "text";
}

/** Whether the value can be what a label of this notion promises. */
function fits(match: LabelMatch, value: string, recognised: RecognisedValue): boolean {
  const type: NotionType = notions[match.notion].type;
  const { shape } = recognised;
  switch (type) {
    case "date":
      return shape === "date";
    case "amount":
      return shape === "amount" || (shape === "number" && value.length < 9);
    case "code":
      return isCode(value, recognised);
    case "bic":
      return /^[A-Z]{6}[A-Z\d]{2}(?:[A-Z\d]{3})?$/.test(value.replace(/\s/g, ""));
    case "currency":
      return readCurrency(value) !== undefined;
    case "iban":
    case "vat_id":
    case "email":
    case "url":
      return shape === type;
    case "phone":
      return shape === "phone" || (/^[+\d(]/.test(value) && value.replace(/\D/g, "").length >= 6 && shape !== "date");
    case "text":
      return /\p{L}{2}/u.test(value);
  }
}

function isCode(value: string, { shape, currency }: RecognisedValue): boolean {
  if (!/\d/.test(value) || value.length > 40 || currency !== undefined) return false;
  if (shape === "text") return /^\S*\d\S*(?:\s\S+)?$/.test(value);
  return shape === "code" || shape === "number" || shape === "phone" || shape === "iban" || shape === "vat_id";
}

function trimLabel(label: string): string {
  return label
    .replace(/^[\s•·*‘’'"`~|[\]>–—_-]+/, "")
    .replace(/[\s:.;…_*|–—-]+$/, "")
    .trim();
}

/** Brackets and dashes that OCR makes of boxes around a value are not part of it. */
function trimValue(words: readonly Word[]): Word[] {
  const kept = [...words];
  while (kept.length > 0 && /^[\s|_–—:;=~.*-]*$/.test(kept[0]?.text ?? "")) kept.shift();
  while (kept.length > 0 && /^[\s|_–—:;=~.\][-]*$/.test(kept.at(-1)?.text ?? "")) kept.pop();
  const last = kept.at(-1);
  if (last && /[\d)][.,;]$/.test(last.text)) kept[kept.length - 1] = { ...last, text: last.text.slice(0, -1) };
  return kept;
}
