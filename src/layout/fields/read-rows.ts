/**
 * Puts a page's words into rows and splits each row where a gap, a ruling line or a leader of dots stands between words.
 * Works alike on words that were read and on words that were recognised; reading order of the file does not matter.
 */
import type { Box, PageText, Word } from "../page.ts";

/** Words of one row that stand together: a label, a value, a cell or a line of prose. */
export interface Segment {
  text: string;
  words: Word[];
  x: number;
  right: number;
  top: number;
  bottom: number;
  /** Running text, in which colons and gaps mean little. */
  prose: boolean;
  bold: boolean;
  /** A leader of dots or lines stood between this segment and the one before it. */
  led: boolean;
}

export interface Row {
  segments: Segment[];
  top: number;
  bottom: number;
}

const leader = /^(?:[.·…_]{3,}|(?:\.\s?){3,}|[-–—=*]{3,}|[|¦]|__*)$/;
const rulesConsidered = 400;
const wordsForSlope = 12;

/** From top to bottom, each row from left to right. */
export function readRows(page: PageText): Row[] {
  const verticals = page.rules
    .filter((rule) => Math.abs(rule.x1 - rule.x2) < 1 && Math.abs(rule.y1 - rule.y2) > 6)
    .slice(0, rulesConsidered);
  const words = page.words.map(trimWord).filter(isUsable);
  const grouped = groupIntoRows(words, page.source === "text" ? 0 : measureSlope(words));
  const widest = widestSpace(grouped);
  const rows = grouped.map((words) => splitRow(words, { verticals, widest }));
  const filled = rows.filter((row) => row.segments.length > 0);
  markProse(filled);
  return filled;
}

export function boxOf(words: readonly Word[]): Box {
  let [x, y, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { box } of words) {
    x = Math.min(x, box.x);
    y = Math.min(y, box.y);
    right = Math.max(right, box.x + box.width);
    bottom = Math.max(bottom, box.y + box.height);
  }
  return { x, y, width: right - x, height: bottom - y };
}

export function textOf(words: readonly Word[]): string {
  return words.map((word) => word.text).join(" ");
}

/** Nobody writes labels or values in words this long, and the rules' patterns would take their time with them. */
const longestWord = 150;

function isUsable(word: Word): boolean {
  return word.text !== "" && word.text.length <= longestWord && word.box.height > 0;
}

function trimWord(word: Word): Word {
  const text = word.text.trim();
  return text === word.text ? word : { ...word, text };
}

/** By how much lines sink to the right, per point: words that were recognised come line by line, on pages that may lie askew. */
function measureSlope(words: readonly Word[]): number {
  const slopes: number[] = [];
  for (const [index, left] of words.entries()) {
    const right = words[index + 2];
    if (!right) break;
    const [dx, dy] = [right.box.x - left.box.x, middle(right) - middle(left)];
    const height = Math.min(left.box.height, right.box.height);
    if (dx > 4 * height && Math.abs(dy) < 0.8 * height) slopes.push(dy / dx);
  }
  return slopes.length < wordsForSlope ? 0 : (slopes.sort((a, b) => a - b)[slopes.length >> 1] ?? 0);
}

function groupIntoRows(words: readonly Word[], slope: number): Word[][] {
  const level = (word: Word) => middle(word) - slope * word.box.x;
  const sorted = [...words].sort((a, b) => level(a) - level(b));
  const rows: { words: Word[]; middle: number; height: number }[] = [];
  for (const word of sorted) {
    // A tall word (a logo, a bracket) may belong to one of several rows just above.
    const row = rows
      .slice(-3)
      .reverse()
      .find(
        (candidate) => Math.abs(level(word) - candidate.middle) < 0.45 * Math.min(word.box.height, candidate.height),
      );
    if (row) {
      const count = row.words.push(word);
      row.middle += (level(word) - row.middle) / count;
      row.height += (word.box.height - row.height) / count;
    } else {
      rows.push({ words: [word], middle: level(word), height: word.box.height });
    }
  }
  return rows.sort((a, b) => a.middle - b.middle).map((row) => row.words.sort((a, b) => a.box.x - b.box.x));
}

interface Gaps {
  verticals: PageText["rules"];
  /** The widest gap between words that belong together, in heights of the row. */
  widest: number;
}

/** Justified prose stretches its spaces to about 0.8 of the type's height; a till's printer spaces words wider still. */
function widestSpace(rows: readonly (readonly Word[])[]): number {
  const gaps = rows.flatMap((words) => {
    const height = meanHeight(words);
    return words.slice(1).map((word, index) => (word.box.x - endOf(words[index])) / height);
  });
  const close = gaps.filter((gap) => gap > 0 && gap < 2).sort((a, b) => a - b);
  return Math.min(1.7, Math.max(1.1, 2.2 * (close[close.length >> 1] ?? 0)));
}

function splitRow(words: readonly Word[], gaps: Gaps): Row {
  const height = meanHeight(words);
  const segments: Segment[] = [];
  let current: Word[] = [];
  let led = false;
  let ledNext = false;
  const finish = () => {
    if (current.length > 0) segments.push(makeSegment(current, led));
    current = [];
    led = ledNext;
    ledNext = false;
  };
  for (const whole of words) {
    const word = trimLeader(whole);
    if (word === undefined) {
      ledNext = true;
      finish();
      continue;
    }
    const previous = current.at(-1);
    if (previous && isApart(previous, word, gaps, height)) finish();
    current.push(word);
    if (word.text.length < whole.text.length) {
      ledNext = true;
      finish();
    }
  }
  finish();
  const box = boxOf(words);
  return { segments, top: box.y, bottom: box.y + box.height };
}

/** `Amount.........` is a label with its leader in one word; a word of dots alone is nothing but the leader. */
function trimLeader(word: Word): Word | undefined {
  if (leader.test(word.text)) return undefined;
  const text = word.text.replace(/(?:\.{4,}|_{2,}|…+|·{3,})$/, "").replace(/^_{2,}/, "");
  return text === word.text ? word : { ...word, text };
}

function isApart(left: Word, right: Word, gaps: Gaps, height: number): boolean {
  const end = endOf(left);
  const gap = right.box.x - end;
  if (gap > gaps.widest * height) return true;
  if (gap < 1) return false;
  const y = middle(left);
  return gaps.verticals.some((rule) => {
    const [top, bottom] = rule.y1 < rule.y2 ? [rule.y1, rule.y2] : [rule.y2, rule.y1];
    return rule.x1 > end - 1 && rule.x1 < right.box.x + 1 && top < y && bottom > y;
  });
}

function makeSegment(words: Word[], led: boolean): Segment {
  const box = boxOf(words);
  return {
    text: textOf(words),
    words,
    x: box.x,
    right: box.x + box.width,
    top: box.y,
    bottom: box.y + box.height,
    prose: isSentence(words),
    bold: words.every((word) => word.bold === true),
    led,
  };
}

function isSentence(words: readonly Word[]): boolean {
  if (words.length < 7) return false;
  const small = words.filter((word) => /^[("'“„«]?\p{Ll}/u.test(word.text)).length;
  return small >= 0.4 * words.length;
}

/** The last line of a paragraph is short, but belongs to the prose above it. */
function markProse(rows: readonly Row[]): void {
  for (const [index, row] of rows.entries()) {
    const above = rows[index - 1];
    if (!above) continue;
    for (const segment of row.segments) {
      if (segment.prose || !/^\p{Ll}/u.test(segment.text)) continue;
      segment.prose = above.segments.some(
        (other) =>
          other.prose && Math.abs(other.x - segment.x) < 4 && segment.top - other.bottom < other.bottom - other.top,
      );
    }
  }
}

function meanHeight(words: readonly Word[]): number {
  return words.reduce((sum, word) => sum + word.box.height, 0) / words.length;
}

function endOf(word: Word | undefined): number {
  return word ? word.box.x + word.box.width : 0;
}

function middle(word: Word): number {
  return word.box.y + word.box.height / 2;
}
