/** Tells which known notion a printed label names: exactly, or with one character misread. */
import { type Notion, type NotionName, notions } from "./label-synonyms.ts";

export interface LabelMatch {
  notion: NotionName;
  /** 0 for the most telling group of labels. */
  group: number;
  /** Whether every character agreed. */
  exact: boolean;
}

const matches = new Map<string, LabelMatch[]>();
for (const [name, notion] of Object.entries(notions) as [NotionName, Notion][]) {
  for (const [group, list] of notion.groups.entries()) {
    for (const label of list.split(/\s*[,\n]\s*/)) {
      const known = matches.get(label) ?? [];
      if (!known.some((match) => match.notion === name)) known.push({ notion: name, group, exact: true });
      matches.set(label, known);
    }
  }
}

const labelsByLength = new Map<number, string[]>();
for (const label of matches.keys()) {
  const same = labelsByLength.get(label.length) ?? [];
  same.push(label);
  labelsByLength.set(label.length, same);
}

const longestLabel = Math.max(...labelsByLength.keys());

/** Lower case without accents, punctuation, brackets, rates and currencies: `Total (RM)` → `total`, `N° TVA` → `no tva`. */
export function normalizeLabel(label: string): string {
  return label
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/\bn[°º]|№|#|\bnum\b(?=\.)/g, " no ")
    .replace(/\d+(?:[.,]\d+)?\s?%|%/g, " ")
    .replace(/\((?:if any|s)\)/g, " ")
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .replace(/(?:^| )(?:eur|usd|rm|myr|chf|gbp|inr)(?= |$)/g, " ")
    .replace(/ {2,}/g, " ")
    .trim();
}

/** All notions the label may name: "VAT" is an id or a tax, which only the value tells. */
export function matchLabel(label: string, misread: boolean): readonly LabelMatch[] {
  return matchNormalized(normalizeLabel(label), misread);
}

export function matchNormalized(label: string, misread: boolean): readonly LabelMatch[] {
  if (label.length < 2 || label.length > longestLabel + 1) return [];
  const exact = matches.get(label);
  if (exact) return exact;
  if (!misread || label.length < 5) return [];
  const near = labelsByLength.get(label.length)?.find((known) => differsByOne(known, label));
  return near === undefined ? [] : (matches.get(near) ?? []).map((match) => ({ ...match, exact: false }));
}

function differsByOne(a: string, b: string): boolean {
  let different = 0;
  for (let index = 0; index < a.length; index++) {
    if (a[index] !== b[index] && ++different > 1) return false;
  }
  return true;
}
