/** Long work on many rows, done in short transactions with rests between them, so that nobody waits for it. */
import type { Clock } from "./clock.ts";

export interface Portion {
  done: number;
  /** Whether there may be more to do. */
  more: boolean;
}

export interface PortionTerms {
  clock: Clock;
  signal: AbortSignal;
}

const shortestRestMs = 10;
const longestRestMs = 2_000;

/** Does one portion after the other until there is no more or the signal aborts; answers the sum of what they did. */
export async function inPortions({ clock, signal }: PortionTerms, doPortion: () => Promise<Portion>): Promise<number> {
  let sum = 0;
  while (!signal.aborted) {
    const startedAt = performance.now();
    const { done, more } = await doPortion();
    sum += done;
    if (!more) break;
    // As long as it took: on a busy database it takes longer, and rests longer.
    const tookMs = performance.now() - startedAt;
    await clock.wait(Math.min(Math.max(tookMs, shortestRestMs), longestRestMs), signal);
  }
  return sum;
}
