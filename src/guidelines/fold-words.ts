/** Words as they are compared: small letters without accents, plurals as singulars; and how many of them two texts share. */
import { isStopWord } from "./stop-words.ts";

const wordPattern = /\p{L}[\p{L}\p{M}]*(?:['’-]\p{L}+)*/gu;

export function wordsOf(text: string): string[] {
  return text.match(wordPattern) ?? [];
}

const irregular = new Map(
  `leaves leaf, halves half, wolves wolf, knives knife, lives life, mice mouse, feet foot, teeth tooth, children child,
  men man, women woman, people person, vertices vertex, matrices matrix, bacteria bacterium`
    .split(/,\s+/)
    .map((pair) => pair.split(" ") as [string, string]),
);

export function foldWord(word: string): string {
  const plain = word
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/['’]s?$/, "");
  const singular = irregular.get(plain);
  if (singular !== undefined) return singular;
  if (plain.length < 4 || /(ss|us|is)$/.test(plain)) return plain;
  if (/ies$/.test(plain) && plain.length > 4) return `${plain.slice(0, -3)}y`;
  if (/(ch|sh|x|ss|zz)es$/.test(plain)) return plain.slice(0, -2);
  return plain.endsWith("s") ? plain.slice(0, -1) : plain;
}

/** The folded words of a text that say what it is about. */
export function contentWords(text: string): string[] {
  return wordsOf(text)
    .filter((word) => word.length > 2 && !isStopWord(word.toLowerCase().replace("’", "'")))
    .map(foldWord)
    .filter((word) => word.length > 2 && !isStopWord(word));
}

/** Shared words by all words of both: 1 where the sets are equal, 0 where one is empty. */
export function sharedPart(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const shared = countShared(one, other);
  const all = one.size + other.size - shared;
  return all === 0 ? 0 : shared / all;
}

/** Shared words by the words of the smaller set. */
export function containedPart(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const smaller = Math.min(one.size, other.size);
  return smaller === 0 ? 0 : countShared(one, other) / smaller;
}

function countShared(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  let shared = 0;
  for (const word of one) if (other.has(word)) shared++;
  return shared;
}
