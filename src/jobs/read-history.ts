/**
 * What came and what ended, by minutes and by hours, as `/api/stats` shows it. Both are of the clock: a minute or an hour
 * keeps its number once it is over, and only the present one grows.
 *
 * Counting a day in which 800,000 jobs ended takes up to 0.7 seconds, nearly all of it for hours that are over. Only a
 * retry changes those, so they are counted again every few minutes; the rest (5 ms) is counted each time.
 */
import type { Stats } from "../contract/system.ts";
import { countCreated, countEnded, type EndedCount, readTime, type Stretches } from "./queries/count-over-time.ts";
import type { JobSource } from "./rescue-before-reading.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
/** The present one included. */
const shownMinutes = 60;
const shownHours = 25;
const keptMs = 5 * minuteMs;

export type History = Pick<Stats, "endedPerMinute" | "createdPerMinute" | "hours">;

/** What happened between its start and that of the next. */
type Stretch = { startsAt: number; created: number } & Record<EndedCount["status"], number>;

export function createHistoryReader({ db, clock }: Pick<JobSource, "db" | "clock">): () => Promise<History> {
  let kept: { stretches: Stretch[]; end: number; until: number } | undefined;

  return async () => {
    const now = await readTime(db, clock);
    const minutes = lastStarts(now, minuteMs, shownMinutes);
    const hours = lastStarts(now, hourMs, shownHours);
    const [firstMinute = now] = minutes;
    const firstRecentHour = startOf(firstMinute, hourMs);
    const isOver = (hour: number) => hour < firstRecentHour;
    // Minutes and hours in one list, so that nothing is counted twice.
    const recent = [...new Set([...hours.filter((hour) => !isOver(hour)), ...minutes])].sort((a, b) => a - b);
    const [over, latest] = await Promise.all([
      readOver({ starts: hours.filter(isOver), end: firstRecentHour }),
      countStretches({ starts: recent }),
    ]);
    const shown = latest.filter(({ startsAt }) => startsAt >= firstMinute);
    return {
      createdPerMinute: shown.map(({ created }) => created),
      endedPerMinute: shown.map(({ completed, failed, cancelled }) => completed + failed + cancelled),
      hours: hours.map((hour) => sumUp(hour, [...over, ...latest])),
    };
  };

  async function readOver(stretches: Required<Stretches>): Promise<Stretch[]> {
    const { end } = stretches;
    if (kept?.end !== end || performance.now() >= kept.until) {
      kept = { stretches: await countStretches(stretches), end, until: performance.now() + keptMs };
    }
    return kept.stretches;
  }

  async function countStretches(stretches: Stretches): Promise<Stretch[]> {
    const [created, ended] = await Promise.all([countCreated(db, stretches), countEnded(db, stretches)]);
    return stretches.starts.map((startsAt, place) => {
      const stretch = { startsAt, created: created[place] ?? 0, completed: 0, failed: 0, cancelled: 0 };
      for (const { status, jobs } of ended.filter((one) => one.place === place)) stretch[status] = jobs;
      return stretch;
    });
  }
}

/** The starts of the present unit and of those before it, oldest first. */
function lastStarts(now: number, unitMs: number, count: number): number[] {
  const present = startOf(now, unitMs);
  return Array.from({ length: count }, (_, index) => present - (count - 1 - index) * unitMs);
}

function startOf(time: number, unitMs: number): number {
  return time - (time % unitMs);
}

function sumUp(hour: number, stretches: readonly Stretch[]): History["hours"][number] {
  const sum = { startsAt: new Date(hour).toISOString(), created: 0, completed: 0, failed: 0, cancelled: 0 };
  for (const { startsAt, created, completed, failed, cancelled } of stretches) {
    if (startOf(startsAt, hourMs) !== hour) continue;
    sum.created += created;
    sum.completed += completed;
    sum.failed += failed;
    sum.cancelled += cancelled;
  }
  return sum;
}

/**
 * How many had not ended at the end of each minute, told from how many have not now. A job that was tried again counts as
 * if it had never ended, so an earlier number may come out too high, and never below 0.
 */
export function unfinishedPerMinute(now: number, { createdPerMinute, endedPerMinute }: History): number[] {
  let unfinished = now;
  return createdPerMinute
    .map((created, minute) => (endedPerMinute[minute] ?? 0) - created)
    .toReversed()
    .map((change) => {
      const shown = Math.max(0, unfinished);
      unfinished += change;
      return shown;
    })
    .toReversed();
}
