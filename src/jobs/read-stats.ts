/**
 * Counts over all jobs, always counted, never guessed. Counting millions takes a while (half a second for 800,000), so an
 * answer that took long is kept for twenty times as long; those who ask at the same time share one count.
 */
import { type JobState, jobStates } from "../contract/states.ts";
import type { Stats } from "../contract/system.ts";
import { countBatches, countJobs, type LiveWorker, listLiveWorkers } from "./queries/count-jobs.ts";
import { createHistoryReader, type History, unfinishedPerMinute } from "./read-history.ts";
import { type JobSource, rescueBeforeReading } from "./rescue-before-reading.ts";

/** Counting takes at most this share of the time, unless it was held up by something else. */
const keptFor = 20;
const keptAtMostMs = 15_000;
const quickMs = 10;

export function createStatsReader(source: JobSource): () => Promise<Stats> {
  const readHistory = createHistoryReader(source);
  let latest: Promise<Stats> | undefined;
  return () => {
    latest ??= count();
    return latest;
  };

  async function count(): Promise<Stats> {
    const startedAt = performance.now();
    let tookMs = 0;
    try {
      const stats = await readStats(source, readHistory);
      tookMs = performance.now() - startedAt;
      return stats;
    } finally {
      const forget = () => {
        latest = undefined;
      };
      if (tookMs < quickMs) forget();
      else setTimeout(forget, Math.min(keptFor * tookMs, keptAtMostMs)).unref();
    }
  }
}

async function readStats(source: JobSource, readHistory: () => Promise<History>): Promise<Stats> {
  const { db, clock, registry } = source;
  await rescueBeforeReading(source);
  const [counts, history, batches, workers] = await Promise.all([
    countJobs(db),
    readHistory(),
    countBatches(db),
    listLiveWorkers(db, clock),
  ]);
  const jobs = noJobs();
  // A map, because a kind may be named like something every object has.
  const byKind = new Map<string, Stats["byKind"][string]>();
  const entry = (kind: string) => {
    const served = workers.some(({ kinds }) => kinds.includes(kind));
    const known = byKind.get(kind) ?? { ...noJobs(), meanRunMs: meanRunMs(workers, kind), served };
    byKind.set(kind, known);
    return known;
  };
  for (const { kind } of registry.pipelines) entry(kind);
  for (const { kinds } of workers) for (const kind of kinds) entry(kind);
  for (const { kind, status, jobs: count } of counts) {
    jobs[status] += count;
    entry(kind)[status] += count;
  }
  const slots = workers.reduce((sum, worker) => sum + worker.slots, 0);
  return {
    jobs,
    byKind: Object.fromEntries(byKind),
    batches,
    workers: { alive: workers.length, slots },
    ...history,
    unfinishedPerMinute: unfinishedPerMinute(jobs.pending + jobs.running, history),
  };
}

/** How fast jobs of a kind go: how many at once, and how long one takes where that has been measured. */
export async function readPace(
  { db, clock }: Pick<JobSource, "db" | "clock">,
  kind: string,
): Promise<{ slots: number; meanRunMs: number | null }> {
  const workers = (await listLiveWorkers(db, clock)).filter(({ kinds }) => kinds.includes(kind));
  return { slots: workers.reduce((sum, { slots }) => sum + slots, 0), meanRunMs: meanRunMs(workers, kind) };
}

function noJobs(): Record<JobState, number> {
  return Object.fromEntries(jobStates.map((state) => [state, 0])) as Record<JobState, number>;
}

/** Each worker's mean counts by the jobs it was measured on. */
function meanRunMs(workers: readonly LiveWorker[], kind: string): number | null {
  let [jobs, totalMs] = [0, 0];
  for (const { durations } of workers) {
    const measured = Object.hasOwn(durations, kind) ? durations[kind] : undefined;
    if (!measured) continue;
    jobs += measured.jobs;
    totalMs += measured.jobs * measured.meanMs;
  }
  return jobs === 0 ? null : totalMs / jobs;
}
