/**
 * Cuts a page into regions that are read one after the other: finds the gutters between columns of running text, and
 * the full-width lines and tables between which they hold. What stands side by side without being running text (a
 * borderless table, labels and values) is not cut.
 */
import { type FlowItem, lineItem } from "./flow-item.ts";
import { judgeColumns } from "./judge-columns.ts";
import { lineOf } from "./line.ts";
import type { PlacedWord } from "./placed-word.ts";

interface Band {
  /** Runs through, over the gutter. */
  full: FlowItem[];
  left: FlowItem[];
  right: FlowItem[];
}

const deepest = 7;
const mostCandidates = 8;
/** In points: lines that begin within it begin at the same place. */
const step = 3;

/** Regions in reading order, the items of each from top to bottom. */
export function cutColumns(items: FlowItem[], rightToLeft: boolean): FlowItem[][] {
  const regions: FlowItem[][] = [];
  cut(items.toSorted(fromTop), deepest, rightToLeft, regions);
  return regions;
}

function fromTop(a: FlowItem, b: FlowItem): number {
  return a.y1 + a.y2 - b.y1 - b.y2 || a.x1 - b.x1;
}

function cut(items: FlowItem[], depth: number, rightToLeft: boolean, regions: FlowItem[][]): void {
  const gutter = depth > 0 && items.length >= 6 ? findGutter(items) : undefined;
  const bands = gutter === undefined ? [] : absorbWeakBands(bandsAt(items, gutter));
  if (bands.every((band) => band.left.length + band.right.length === 0)) {
    if (items.length > 0) regions.push(items);
    return;
  }
  for (const band of bands) {
    const sides = rightToLeft ? [band.right, band.left] : [band.left, band.right];
    for (const part of [band.full, ...sides]) cut(part, depth - 1, rightToLeft, regions);
  }
}

function findGutter(items: FlowItem[]): number | undefined {
  let best: number | undefined;
  let bestScore = 0;
  for (const x of candidatesOf(items)) {
    let score = 0;
    for (const band of bandsAt(items, x)) score += judgeColumns(band.left, band.right);
    if (score > bestScore) {
      best = x;
      bestScore = score;
    }
  }
  return best;
}

/** Where many lines begin, or end in text from right to left: a gutter is just before. */
function candidatesOf(items: FlowItem[]): number[] {
  const begins = new Map<number, number>();
  const ends = new Map<number, number>();
  let leftmost = Number.POSITIVE_INFINITY;
  let rightmost = Number.NEGATIVE_INFINITY;
  for (const item of items) {
    leftmost = Math.min(leftmost, item.x1);
    rightmost = Math.max(rightmost, item.x2);
    countAt(begins, item.x1);
    countAt(ends, item.x2);
    countInnerBegins(begins, item);
  }
  const found: { x: number; count: number }[] = [];
  for (const [bin, alone] of begins) {
    const count = alone + (begins.get(bin - 1) ?? 0);
    if (count >= 3 && bin * step > leftmost + 15) found.push({ x: (bin - 0.5) * step - 0.75, count });
  }
  for (const [bin, alone] of ends) {
    const count = alone + (ends.get(bin + 1) ?? 0);
    if (count >= 3 && bin * step < rightmost - 15) found.push({ x: (bin + 0.5) * step + 0.75, count });
  }
  found.sort((a, b) => b.count - a.count || a.x - b.x);
  return found.slice(0, mostCandidates).map((candidate) => candidate.x);
}

function countAt(counts: Map<number, number>, x: number): void {
  const bin = Math.round(x / step);
  counts.set(bin, (counts.get(bin) ?? 0) + 1);
}

/** A piece that runs over a narrow gutter hides where the next column begins. */
function countInnerBegins(begins: Map<number, number>, item: FlowItem): void {
  const words = item.line?.words;
  if (words === undefined || words.length > 200) return;
  let end = Number.POSITIVE_INFINITY;
  for (const word of words) {
    if (word.x1 - end > word.size * 0.6) countAt(begins, word.x1);
    end = word.x2;
  }
}

function bandsAt(items: FlowItem[], x: number): Band[] {
  const bands: Band[] = [];
  let band: Band = { full: [], left: [], right: [] };
  for (const item of items) {
    if (item.x2 <= x + 1) band.left.push(item);
    else if (item.x1 >= x - 1) band.right.push(item);
    else {
      const halves = halvesOf(item, x);
      if (halves !== undefined) {
        band.left.push(halves[0]);
        band.right.push(halves[1]);
        continue;
      }
      if (band.left.length + band.right.length > 0) {
        bands.push(band);
        band = { full: [], left: [], right: [] };
      }
      band.full.push(item);
    }
  }
  bands.push(band);
  return bands;
}

/** The two sides of a piece that runs over the gutter by mistake: there is more than a usual space at it. */
function halvesOf(item: FlowItem, x: number): [FlowItem, FlowItem] | undefined {
  const words = item.line?.words;
  if (words === undefined) return undefined;
  const at = words.findIndex((word) => word.x2 > x + 1);
  const before = words[at - 1];
  const after = words[at];
  if (before === undefined || after === undefined) return undefined;
  const gap = after.x1 - before.x2;
  if (after.x1 < x - 1 || gap < after.size * 0.5 || gap < usualGap(words) * 1.6) return undefined;
  return [lineItem(lineOf(words.slice(0, at))), lineItem(lineOf(words.slice(at)))];
}

/** Between the words of a line, on average without its widest. */
function usualGap(words: readonly PlacedWord[]): number {
  let sum = 0;
  let widest = 0;
  for (let i = 1; i < words.length; i++) {
    const gap = Math.max(0, (words[i]?.x1 ?? 0) - (words[i - 1]?.x2 ?? 0));
    sum += gap;
    widest = Math.max(widest, gap);
  }
  return words.length < 3 ? 0 : (sum - widest) / (words.length - 2);
}

/**
 * The last, short line of a full-width paragraph does not reach the gutter, and a centred pair of words may stand beside
 * it: bands that are no columns go with the full-width text around them.
 */
function absorbWeakBands(bands: Band[]): Band[] {
  const kept: Band[] = [];
  for (const band of bands) {
    const strong = judgeColumns(band.left, band.right) > 0 || band.left.length + band.right.length > 8;
    const last = kept.at(-1);
    const open = last !== undefined && last.left.length + last.right.length === 0 ? last : undefined;
    if (strong) {
      if (open === undefined) kept.push(band);
      else {
        for (const item of band.full) open.full.push(item);
        open.left = band.left;
        open.right = band.right;
      }
      continue;
    }
    const all = [...band.full, ...band.left, ...band.right].sort(fromTop);
    if (open === undefined) kept.push({ full: all, left: [], right: [] });
    else for (const item of all) open.full.push(item);
  }
  return kept;
}
