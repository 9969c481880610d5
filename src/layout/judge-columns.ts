/** Tells columns of running text from cells that stand side by side. */
import type { FlowItem } from "./flow-item.ts";

interface Side {
  lines: number;
  /** Share of the letters that stand in lines of running text. */
  prose: number;
  /** Share of the lines that are monospaced. */
  mono: number;
  height: number;
}

function sideOf(items: readonly FlowItem[]): Side {
  let top = Number.POSITIVE_INFINITY;
  let bottom = Number.NEGATIVE_INFINITY;
  let width = 0;
  let lines = 0;
  let letters = 0;
  let mono = 0;
  for (const item of items) {
    if (item.y1 < top) top = item.y1;
    if (item.y2 > bottom) bottom = item.y2;
    if (item.line === undefined) continue;
    lines++;
    if (item.mono) mono++;
    letters += item.letters;
    width += item.x2 - item.x1;
  }
  const usual = lines === 0 ? 0 : width / lines;
  let running = 0;
  for (const item of items) if (isRunning(item, usual)) running += item.letters;
  return { lines, prose: letters === 0 ? 0 : running / letters, mono: mono / Math.max(1, lines), height: bottom - top };
}

function isRunning(item: FlowItem, usualWidth: number): boolean {
  if (item.entry) return true;
  if (!item.wordy) return false;
  if (item.words >= 4) return true;
  return item.x2 - item.x1 > usualWidth * 0.9 && (item.words >= 3 || item.letters >= 8);
}

/**
 * Share of the lines of one side that stand exactly beside a line of the other, or between two of them, as a term does
 * above its explanation.
 */
function alignment(left: readonly FlowItem[], right: readonly FlowItem[]): number {
  const fewer = left.length < right.length ? left : right;
  const others = Float64Array.from(fewer === left ? right : left, (item) => item.y1 + item.y2).sort();
  let aligned = 0;
  for (const item of fewer) {
    const tolerance = Math.max(1.2, (item.y2 - item.y1) * 0.3);
    const middle = item.y1 + item.y2;
    if (hasWithin(others, middle, tolerance)) aligned++;
    else if (middle > (others[0] ?? 0) && middle < (others.at(-1) ?? 0)) {
      if (!hasWithin(others, middle, (item.y2 - item.y1) * 1.7)) aligned++;
    }
  }
  return aligned / fewer.length;
}

function hasWithin(sorted: Float64Array, value: number, tolerance: number): boolean {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) < value - tolerance) low = middle + 1;
    else high = middle;
  }
  const found = sorted[low];
  return found !== undefined && found <= value + tolerance;
}

/** How high a stretch of two columns this is; 0 if they are none. */
export function judgeColumns(left: readonly FlowItem[], right: readonly FlowItem[]): number {
  if (left.length < 2 || right.length < 2) return 0;
  const a = sideOf(left);
  const b = sideOf(right);
  const extent = Math.min(a.height, b.height);
  const weaker = Math.min(a.prose, b.prose);
  const stronger = Math.max(a.prose, b.prose);
  // Gaps between words happen to stand below each other for a few lines of any text.
  if (Math.min(a.lines, b.lines) < 3 || Math.max(a.lines, b.lines) < 5) return 0;
  // Code with its remarks beside it is no pair of columns, nor is anything that was aligned with spaces.
  if (Math.min(a.mono, b.mono) > 0.8 && alignment(left, right) > 0.5) return 0;
  if (weaker >= 0.5) return extent;
  if (stronger >= 0.6 && alignment(left, right) < 0.5) return extent * 0.8;
  return 0;
}
