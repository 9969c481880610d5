/** The last hour, minute by minute, as charts and tables take it. */
import type { Stats } from "../../../../src/contract/system.ts";

export interface Minute {
  /** How the reader's clock showed it: "14:05". */
  time: string;
  unfinished: number;
  created: number;
  ended: number;
}

const clock = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" });

/** Oldest first; the last one is the present. */
export function listMinutes(
  { unfinishedPerMinute, createdPerMinute, endedPerMinute }: Stats,
  now = Date.now(),
): Minute[] {
  const last = unfinishedPerMinute.length - 1;
  return unfinishedPerMinute.map((unfinished, minute) => ({
    time: clock.format(now - (last - minute) * 60_000),
    unfinished,
    created: createdPerMinute[minute] ?? 0,
    ended: endedPerMinute[minute] ?? 0,
  }));
}
