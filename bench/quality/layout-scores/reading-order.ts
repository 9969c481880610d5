/**
 * How well a text keeps an expected order of reading: both are cut into runs of a few words; of the runs that are in both
 * exactly once, it is the share that the longest common sequence keeps. 1 is the same order.
 */
import { normalWords } from "./normal-words.ts";

const runLength = 4;

export function scoreOrder(found: string, expected: string): number {
  const places = uniqueRuns(normalWords(found));
  const order: number[] = [];
  for (const run of uniqueRuns(normalWords(expected)).keys()) {
    const place = places.get(run);
    if (place !== undefined) order.push(place);
  }
  if (order.length < 2) return order.length;
  let steps = 0;
  for (let i = 1; i < order.length; i++) {
    const step = (order[i] ?? 0) - (order[i - 1] ?? 0);
    if (step > 0 && step <= runLength * 25) steps++;
  }
  const neighbours = steps / (order.length - 1);
  return (neighbours + longestRising(order) / order.length) / 2;
}

/** Runs that occur once, with their places, in the order of the text. */
function uniqueRuns(words: readonly string[]): Map<string, number> {
  const places = new Map<string, number>();
  const twice = new Set<string>();
  for (let i = 0; i + runLength <= words.length; i++) {
    const run = words.slice(i, i + runLength).join(" ");
    if (places.has(run)) twice.add(run);
    else places.set(run, i);
  }
  for (const run of twice) places.delete(run);
  return places;
}

function longestRising(values: readonly number[]): number {
  const tails: number[] = [];
  for (const value of values) {
    let low = 0;
    let high = tails.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((tails[middle] ?? 0) < value) low = middle + 1;
      else high = middle;
    }
    tails[low] = value;
  }
  return tails.length;
}
