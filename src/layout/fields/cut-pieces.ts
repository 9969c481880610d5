/**
 * Cuts a row's segments into pieces that hold one label or value each: several labels in one segment are parted, and a
 * currency that stands alone joins its number.
 */
import type { Word } from "../page.ts";
import { findColon } from "./judge-label.ts";
import { matchLabel, matchNormalized, normalizeLabel } from "./match-label.ts";
import { readCurrency } from "./parse-amount.ts";
import { boxOf, type Row, type Segment, textOf } from "./read-rows.ts";

export interface Piece extends Segment {
  /** Taken as a label or a value already. */
  used: boolean;
}

export interface PieceRow {
  pieces: Piece[];
  top: number;
  bottom: number;
}

const delimiter = /^(?:[-–—−|•·●;/]|\|\|)$/;

export function cutPieces(rows: readonly Row[]): PieceRow[] {
  return rows.map((row) => ({
    top: row.top,
    bottom: row.bottom,
    pieces: joinCurrencies(row.segments.flatMap((segment) => cutSegment(segment))),
  }));
}

/** `IBAN : DE… - BIC : AB…` and `Date: 1.1.24 Time: 12:00` hold several pairs. */
function cutSegment(segment: Segment): Piece[] {
  const cuts = findCuts(segment.words);
  if (cuts.length === 0) return [{ ...segment, used: false }];
  return [0, ...cuts]
    .map((from, at) => segment.words.slice(from, cuts[at]))
    .map((words) => (delimiter.test(words[0]?.text ?? "") ? words.slice(1) : words))
    .filter((words) => words.length > 0)
    .map((words) => pieceOf(words, segment));
}

function findCuts(words: readonly Word[]): number[] {
  const cuts: number[] = [];
  for (const [index, { text }] of words.entries()) {
    if (index === 0) continue;
    if (delimiter.test(text)) {
      if (startsWithLabel(words.slice(index + 1)) || isContact(words[index + 1]?.text ?? "")) cuts.push(index);
    } else if (
      /^\p{L}{2,}\.?:/u.test(text) &&
      !/^https?:/i.test(text) &&
      findColon(words.slice(cuts.at(-1) ?? 0, index))
    ) {
      const count = countLabelWords(words, index);
      if (count > 0) cuts.push(index - count + 1);
    }
  }
  return cuts;
}

/** How many words, up to the one with a colon at `index`, are its label: those known by name, else the one alone. */
function countLabelWords(words: readonly Word[], index: number): number {
  for (let count = Math.min(3, index); count >= 1; count--) {
    const label = textOf(words.slice(index - count + 1, index + 1)).replace(/:.*$/, "");
    if (matchLabel(label, false).length > 0) return count;
  }
  return /^\p{Lu}/u.test(words[index]?.text ?? "") ? 1 : 0;
}

function isContact(text: string): boolean {
  return /^\S+@\S+\.\S+$|^(?:www\.|https?:)/i.test(text);
}

function startsWithLabel(words: readonly Word[]): boolean {
  if (findColon(words.slice(0, 5))) return true;
  for (let length = 1; length <= Math.min(5, words.length - 1); length++) {
    if (matchNormalized(normalizeLabel(textOf(words.slice(0, length))), false).length > 0) return true;
  }
  return false;
}

function joinCurrencies(pieces: readonly Piece[]): Piece[] {
  const joined: Piece[] = [];
  for (const piece of pieces) {
    const previous = joined.at(-1);
    const currency = previous && joined.length > 1 && readCurrency(previous.text) !== undefined;
    if (currency && /^[-–(]?\d/.test(piece.text)) {
      joined[joined.length - 1] = pieceOf([...previous.words, ...piece.words], previous);
    } else {
      joined.push(piece);
    }
  }
  return joined;
}

function pieceOf(words: Word[], segment: Segment): Piece {
  const box = boxOf(words);
  return {
    ...segment,
    text: textOf(words),
    words,
    x: box.x,
    right: box.x + box.width,
    top: box.y,
    bottom: box.y + box.height,
    prose: segment.prose && words.length > 6,
    used: false,
  };
}
