/** What came in, got done and failed since midnight where the reader is. */
import type { Stats } from "../../../../src/contract/system.ts";

export interface TodayCounts {
  cameIn: number;
  done: number;
  failed: number;
}

const hourMs = 3_600_000;

/**
 * The server counts by hours of its clock. Where midnight falls into one, as it does in zones off by half an hour, that
 * hour counts as a whole: nothing of today is left out.
 */
export function countToday(hours: Stats["hours"], now: number): TodayCounts {
  const midnight = new Date(now).setHours(0, 0, 0, 0);
  const counts: TodayCounts = { cameIn: 0, done: 0, failed: 0 };
  for (const { startsAt, created, completed, failed } of hours) {
    if (Date.parse(startsAt) + hourMs <= midnight) continue;
    counts.cameIn += created;
    counts.done += completed;
    counts.failed += failed;
  }
  return counts;
}
