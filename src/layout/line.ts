/** Words on one baseline, left to right as they stand on the page. */
import type { Edges, PlacedWord } from "./placed-word.ts";

export interface Line extends Edges {
  words: PlacedWord[];
  /** Of most of its letters. */
  size: number;
  bold: boolean;
  italic: boolean;
  mono: boolean;
  upright: boolean;
}

export function boundsOf(parts: readonly Edges[]): Edges {
  let x1 = Number.POSITIVE_INFINITY;
  let y1 = Number.POSITIVE_INFINITY;
  let x2 = Number.NEGATIVE_INFINITY;
  let y2 = Number.NEGATIVE_INFINITY;
  for (const part of parts) {
    if (part.x1 < x1) x1 = part.x1;
    if (part.y1 < y1) y1 = part.y1;
    if (part.x2 > x2) x2 = part.x2;
    if (part.y2 > y2) y2 = part.y2;
  }
  return parts.length === 0 ? { x1: 0, y1: 0, x2: 0, y2: 0 } : { x1, y1, x2, y2 };
}

/** The value that most letters have. */
function prevailing(words: readonly PlacedWord[], faceOf: (word: PlacedWord) => number): number {
  const first = words[0];
  if (first === undefined) return 0;
  const one = faceOf(first);
  if (words.every((word) => faceOf(word) === one)) return one;
  const letters = new Map<number, number>();
  for (const word of words) {
    const value = faceOf(word);
    letters.set(value, (letters.get(value) ?? 0) + word.text.length);
  }
  let best = one;
  let most = 0;
  for (const [value, count] of letters) {
    if (count > most) {
      best = value;
      most = count;
    }
  }
  return best;
}

export function prevailingSize(words: readonly PlacedWord[]): number {
  return prevailing(words, (word) => (word.size < 6 ? Math.round(word.size * 8) / 8 : Math.round(word.size * 2) / 2));
}

/** Whether (nearly) all words have it: a stray dash in another face does not count. */
function nearlyAll(words: readonly PlacedWord[], has: (word: PlacedWord) => boolean): boolean {
  let letters = 0;
  let having = 0;
  for (const word of words) {
    letters += word.text.length;
    if (has(word)) having += word.text.length;
  }
  return having > 0 && having >= letters * 0.9;
}

const hasSubstance = /[\p{L}\p{N}]/u;

/** Arrows and other signs are taken from another face where the monospaced one has none. */
function isMono(words: readonly PlacedWord[]): boolean {
  if (!words.some((word) => word.mono)) return false;
  return nearlyAll(
    words.filter((word) => word.mono || hasSubstance.test(word.text)),
    (word) => word.mono,
  );
}

export function lineOf(words: PlacedWord[]): Line {
  return {
    ...boundsOf(words),
    words,
    size: prevailingSize(words),
    bold: nearlyAll(words, (word) => word.bold),
    italic: nearlyAll(words, (word) => word.italic),
    mono: isMono(words),
    upright: words[0]?.upright === true,
  };
}

/** How much of the lower of two is beside the other: 1 is all of it. */
export function besideness(a: Edges, b: Edges): number {
  const shared = Math.min(a.y2, b.y2) - Math.max(a.y1, b.y1);
  const lower = Math.min(a.y2 - a.y1, b.y2 - b.y1);
  if (lower <= 0) return shared >= 0 ? 1 : 0;
  return shared / lower;
}
