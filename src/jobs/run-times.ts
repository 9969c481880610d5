/** How long jobs take here, by kind: for ETAs, and to know how many to claim ahead. */
import type { KindDurations } from "./worker-lease.ts";

export interface RunTimes {
  /** By kind, as the heartbeat reports them. */
  readonly byKind: KindDurations;
  /** Over all kinds, the latest counting most; Infinity before the first. */
  readonly meanMs: number;
  measure(kind: string, runMs: number): void;
  /** Forgets the mean: what it foretold has not come true. */
  distrust(): void;
}

const weight = 0.1;

export function createRunTimes(): RunTimes {
  const byKind: KindDurations = {};
  let meanMs = Number.POSITIVE_INFINITY;
  return {
    byKind,
    get meanMs() {
      return meanMs;
    },
    measure(kind, runMs) {
      const known = byKind[kind];
      if (known) {
        known.jobs++;
        known.meanMs += weight * (runMs - known.meanMs);
      } else byKind[kind] = { jobs: 1, meanMs: runMs };
      meanMs = Number.isFinite(meanMs) ? meanMs + weight * (runMs - meanMs) : runMs;
    },
    distrust() {
      meanMs = Number.POSITIVE_INFINITY;
    },
  };
}
