/**
 * Older type setting draws é as e and, over it, an accent: two characters that only their places bring together. Puts
 * each accent on the letter it is drawn over.
 */
import type { Glyph } from "./read-glyph.ts";
import type { Run } from "./read-runs.ts";

/** Accents as characters of their own, and as marks on a letter. */
const marks = new Map([
  [0xa8, "\u0308"],
  [0xaf, "\u0304"],
  [0xb4, "\u0301"],
  [0xb8, "\u0327"],
  [0x2c6, "\u0302"],
  [0x2c7, "\u030c"],
  [0x2d8, "\u0306"],
  [0x2d9, "\u0307"],
  [0x2da, "\u030a"],
  [0x2db, "\u0328"],
  [0x2dc, "\u0303"],
  [0x2dd, "\u030b"],
]);

/** Characters that were read as one word, each with its place. */
export interface Letters {
  parts: string[];
  glyphs: Glyph[];
  run: Run;
}

export function isAccent(code: number): boolean {
  return marks.has(code);
}

/**
 * Words with their accents in place. Where an accent stood out of turn its word was taken for two: `adjoin` tells
 * whether they are one.
 */
export function composeAccents<Word extends Letters>(
  words: readonly Word[],
  adjoin: (word: Word, next: Word) => boolean,
): Word[] {
  // All marks are placed before any word is put together: an accent may come long after its letter.
  const keeps = words.map((word) => word.parts.map((part, index) => !isPlaced(part, word, index, words)));
  const composed: Word[] = [];
  let joins = false;
  for (const [at, word] of words.entries()) {
    const kept = keeps[at] ?? [];
    const moved = kept.includes(false);
    const rest = {
      ...word,
      parts: word.parts.filter((_part, index) => kept[index]),
      glyphs: word.glyphs.filter((_glyph, index) => kept[index]),
    };
    const before = composed.at(-1);
    if (rest.parts.length > 0) {
      if (before && (joins || moved) && adjoin(before, rest)) {
        before.parts.push(...rest.parts);
        before.glyphs.push(...rest.glyphs);
      } else composed.push(rest);
    }
    joins = moved;
  }
  return composed;
}

/** Puts the accent, if the part is one, on the letter it stands over; false when there is none. */
function isPlaced(part: string, { glyphs, run }: Letters, index: number, words: readonly Letters[]): boolean {
  const mark = part.length === 1 ? marks.get(part.charCodeAt(0)) : undefined;
  const glyph = glyphs[index];
  if (mark === undefined || !glyph || run.direction !== 0) return false;
  return words.some((word) => placeMark(mark, glyph, word));
}

function placeMark(mark: string, accent: Glyph, { parts, glyphs, run: { direction, size } }: Letters): boolean {
  if (direction !== 0) return false;
  const middle = (accent.left + accent.right) / 2;
  for (const [index, letter] of glyphs.entries()) {
    if (Math.abs(letter.baseY - accent.baseY) > 0.35 * size || middle < letter.left || middle > letter.right) continue;
    // Under an accent i and j are drawn without their dots.
    const plain = (parts[index] ?? "").replace("ı", "i").replace("ȷ", "j");
    const composed = (plain + mark).normalize("NFC");
    if (composed === plain + mark) continue;
    parts[index] = composed;
    return true;
  }
  return false;
}
