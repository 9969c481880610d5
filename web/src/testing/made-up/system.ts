/** Made-up counts of a server on which nothing has happened, of which a test names what it is about. */
import type { Stats } from "../../../../src/contract/system.ts";

type Counts = Stats["byKind"][string];

const idleHour = Array<number>(60).fill(0);

/** Of a kind, or of all together. */
export function makeCounts(given: Partial<Counts> = {}): Counts {
  return { pending: 0, running: 0, completed: 0, failed: 0, cancelled: 0, meanRunMs: null, served: true, ...given };
}

export function makeStats(given: Partial<Stats> = {}): Stats {
  return {
    jobs: makeCounts(),
    byKind: {},
    batches: { active: 0, ended: 0 },
    workers: { alive: 1, slots: 4 },
    endedPerMinute: idleHour,
    createdPerMinute: idleHour,
    unfinishedPerMinute: idleHour,
    hours: [],
    ...given,
  };
}
