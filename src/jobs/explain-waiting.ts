/**
 * Why a pending job has not started: what blocks it, how many go first, and when it should start by the durations that
 * workers have measured. An estimate, never a promise: it changes nothing and nothing depends on it.
 */
import type { Waiting } from "../contract/jobs.ts";
import { mostCounted, type QueuedJob, type QueueFacts, readQueue } from "./queries/read-queue.ts";
import type { JobSource } from "./rescue-before-reading.ts";

interface WaitingJob extends QueuedJob {
  runAt: Date;
  attempts: number;
  maxAttempts: number;
}

export async function explainWaiting({ db, clock, registry }: JobSource, job: WaitingJob): Promise<Waiting> {
  const limit = registry.find(job.kind)?.options.limit;
  const facts = await readQueue(db, job, limit?.name ?? null, clock);
  const counted = facts.aheadInLane < mostCounted && facts.aheadElsewhere < mostCounted;
  const position = counted ? facts.aheadInLane + facts.aheadElsewhere : null;
  const estimatedStartAt = estimateStart(facts, job.runAt)?.toISOString() ?? null;
  return { ...findReason(facts, job, limit?.name, position), position, estimatedStartAt };
}

function findReason(
  facts: QueueFacts,
  { kind, runAt, attempts, maxAttempts, batchId }: WaitingJob,
  limitName: string | undefined,
  position: number | null,
): Pick<Waiting, "reason" | "explanation"> {
  const { due, workers, slots, limitMax, limitRunning, batchMax, batchRunning } = facts;
  const notBefore = runAt.toISOString();
  const unserved = `No running worker serves the kind "${kind}". Start one whose pipelines include it.`;
  if (!due) {
    const why =
      attempts > 0
        ? `Attempt ${attempts} of ${maxAttempts} did not succeed; the next one is due at ${notBefore}.`
        : `It is scheduled for ${notBefore}.`;
    return { reason: "backoff", explanation: workers === 0 ? `${why} ${unserved}` : why };
  }
  if (workers === 0) return { reason: "no_worker", explanation: unserved };
  if (limitMax !== null && limitRunning !== null && limitRunning >= limitMax) {
    const explanation = `The limit "${limitName}" is reached: ${limitRunning} of ${limitMax} are running.`;
    return { reason: "limit", explanation };
  }
  if (batchMax !== null && batchRunning !== null && batchRunning >= batchMax) {
    const explanation = `Batch ${batchId} may run ${batchMax} jobs of this kind at once, and does.`;
    return { reason: "batch_limit", explanation };
  }
  const place = `${slots} slots of ${workers} ${workers === 1 ? "worker" : "workers"} serve the kind "${kind}"`;
  if (position === 0) return { reason: "queue", explanation: `It is next. ${place}.` };
  const first = position === null ? `More than ${mostCounted}` : position;
  return { reason: "queue", explanation: `${first} jobs of its kind go first. ${place}.` };
}

/** When enough of the jobs before it have ended, if they take as long as those measured. */
function estimateStart(facts: QueueFacts, runAt: Date): Date | null {
  const { now, due, slots, busySlots, meanRunMs, limitMax, limitRunning, batchMax, batchRunning } = facts;
  const { aheadInLane, aheadElsewhere } = facts;
  const before = aheadInLane + aheadElsewhere;
  if (slots === 0 || before >= mostCounted) return null;
  const waits = [waves(before, busySlots, slots)];
  if (limitMax !== null) waits.push(waves(before, limitRunning ?? 0, limitMax));
  if (batchMax !== null) waits.push(waves(aheadInLane, batchRunning ?? 0, batchMax));
  const longest = Math.max(...waits);
  if (longest > 0 && meanRunMs === null) return null;
  const free = new Date(now.getTime() + longest * (meanRunMs ?? 0));
  return due || free > runAt ? free : runAt;
}

/** How many jobs in a row must end on each of `places` before one more can start. */
function waves(ahead: number, running: number, places: number): number {
  return Math.max(0, ahead + running + 1 - places) / Math.max(1, places);
}
