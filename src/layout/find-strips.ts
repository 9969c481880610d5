/** Finds the upright strips of paper that the words of several lines leave free: between them are the columns. */
import { isDots, isLeader } from "./gather-leaders.ts";
import type { Line } from "./line.ts";
import { middleOf } from "./placed-word.ts";

const mostBins = 4_000;

interface Strip {
  start: number;
  end: number;
}

/**
 * The middles of the strips, from left to right. A few lines may run over a strip: a heading over several columns, a note
 * below. `parted` are the lines that have several cells for certain.
 */
export function findStrips(lines: readonly Line[], parted: readonly Line[]): number[] {
  const size = middleOf(parted.map((line) => line.size));
  const left = parted.reduce((least, line) => Math.min(least, line.x1), Number.POSITIVE_INFINITY);
  const right = parted.reduce((most, line) => Math.max(most, line.x2), Number.NEGATIVE_INFINITY);
  if (!(right > left)) return [];
  const bin = Math.max(0.5, (right - left) / mostBins);
  const covered = coverage(parted, left, bin, Math.ceil((right - left) / bin) + 1);
  const allowed = parted.length >= 4 ? Math.max(1, Math.floor(parted.length * 0.15)) : 0;
  const narrowest = size * (parted.length >= 6 ? 0.42 : 0.75);
  const strips: Strip[] = [];
  let open: Strip | undefined;
  covered.forEach((count, i) => {
    if (count > allowed) open = undefined;
    else if (open === undefined) {
      open = { start: left + i * bin, end: left + (i + 1) * bin };
      strips.push(open);
    } else open.end = left + (i + 1) * bin;
  });
  const wide = strips.filter(
    (strip) => strip.end - strip.start >= narrowest && strip.start > left + 1 && strip.end < right - 1,
  );
  return keepParting(wide, lines, parted, covered, left, bin);
}

function coverage(lines: readonly Line[], left: number, bin: number, bins: number): Uint32Array {
  const covered = new Uint32Array(bins);
  for (const line of lines) {
    for (const word of line.words) {
      if (isLeader(word)) continue;
      const from = Math.max(0, Math.floor((word.x1 - left) / bin));
      const to = Math.min(bins, Math.ceil((word.x2 - left) / bin));
      for (let i = from; i < to; i++) covered[i] = (covered[i] ?? 0) + 1;
    }
  }
  return covered;
}

/** Columns that hardly any line uses, or only dots stand in, go with their neighbour. */
function keepParting(
  strips: Strip[],
  lines: readonly Line[],
  parted: readonly Line[],
  covered: Uint32Array,
  left: number,
  bin: number,
): number[] {
  const middles = strips.map((strip) => clearestOf(strip, covered, left, bin));
  const least = Math.max(1, Math.min(2, Math.floor(parted.length * 0.2)));
  for (let i = 0; i < middles.length; ) {
    const start = middles[i - 1] ?? Number.NEGATIVE_INFINITY;
    const end = middles[i] ?? Number.POSITIVE_INFINITY;
    if (usersOf(lines, start, end) >= least && usersOf(lines, end, middles[i + 1] ?? Number.POSITIVE_INFINITY) >= least)
      i++;
    else middles.splice(i, 1);
  }
  return middles;
}

function usersOf(lines: readonly Line[], start: number, end: number): number {
  let users = 0;
  for (const line of lines) {
    if (line.words.some((word) => word.x1 >= start - 1 && word.x2 <= end + 1 && !isDots(word))) users++;
  }
  return users;
}

/** The middle of the part of a strip that the fewest lines run over. */
function clearestOf(strip: Strip, covered: Uint32Array, left: number, bin: number): number {
  const from = Math.round((strip.start - left) / bin);
  const to = Math.round((strip.end - left) / bin);
  let least = Number.POSITIVE_INFINITY;
  for (let i = from; i < to; i++) least = Math.min(least, covered[i] ?? 0);
  let best = { start: from, length: 0 };
  for (let i = from, start = from; i <= to; i++) {
    if (i < to && covered[i] === least) continue;
    if (i - start > best.length) best = { start, length: i - start };
    start = i + 1;
  }
  return left + (best.start + best.length / 2) * bin;
}
