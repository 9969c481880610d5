/**
 * Takes back the jobs of workers that are gone: their lease has run out, or someone on the same host saw that the
 * process no longer exists. Called by every worker's loop and by every read of a job, so that "stale" is never seen.
 */
import type { Clock } from "../db/clock.ts";
import type { Database, Transaction } from "../db/database.ts";
import type { Hints } from "../db/hints.ts";
import { sql } from "../db/sql.ts";
import type { Enqueuer } from "./enqueue.ts";
import type { EngineObserver } from "./happenings.ts";
import { jobFailed, jobLost } from "./job-events.ts";
import { isSpent, reservedBy } from "./queries/held-by-worker.ts";
import type { JobWrite } from "./queries/job-write.ts";
import { writeJobs } from "./queries/write-jobs.ts";
import { topicsOf } from "./topics.ts";

export interface RescueOptions {
  db: Database;
  clock: Clock;
  hints: Hints;
  createFollowUps: Enqueuer["createFollowUps"];
  /** Workers known to be gone although their lease still runs. */
  gone?: readonly string[];
  observe?: EngineObserver;
}

interface LostJob {
  id: string;
  lease: number;
  attempts: number;
  maxAttempts: number;
  whenLost: "retry" | "fail";
  workerId: string;
  limitName: string | null;
  heartbeatAt: Date;
  lastCompletedItem: string | null;
  /** It was claimed ahead: whether it was started nobody knows, so it counts as such. */
  ahead: boolean;
}

const atOnce = 1_000;
const stuckAfter = "2 seconds";

/** Answers how many jobs were taken back. */
export async function rescueLostJobs(options: RescueOptions): Promise<number> {
  const { db, clock, hints, createFollowUps, gone = [], observe } = options;
  let rescued = 0;
  for (;;) {
    let topics: string[] = [];
    let stuck: string[] = [];
    const written = await db.transaction(async (tx) => {
      await markLostWorkers(tx, clock, gone);
      const lost = await findLostJobs(tx);
      if (lost.length === 0) return [];
      const free = await lockFree(tx, lost);
      stuck = lost.map(({ id }) => id).filter((id) => !free.has(id));
      const rescuable = lost.filter(({ id }) => free.has(id));
      const taken = rescuable.length === 0 ? [] : await writeJobs(tx, rescuable.map(takeBack), { clock });
      topics = await createFollowUps(tx, [], taken);
      return taken;
    });
    await forgetLostHolds(db);
    if (stuck.length > 0) await endHolders(db, stuck);
    hints.publish([...topicsOf(written), ...topics]);
    rescued += written.length;
    observe?.({ type: "written", jobs: written });
    if (written.length < atOnce) break;
  }
  observe?.({ type: "rescued", jobs: rescued });
  return rescued;
}

/** The worker's row is the lock between this and its heartbeat: one of the two comes first and the other sees it. */
async function markLostWorkers(tx: Transaction, clock: Clock, gone: readonly string[]): Promise<void> {
  await tx.query(sql`
    update workers set lost_at = ${clock.now()}
    where id in (
      select id from workers
      where lost_at is null and (lease_expires_at < ${clock.now()} or id = any (${gone}::uuid[]))
      order by id for no key update skip locked)`);
}

function findLostJobs(tx: Transaction): Promise<LostJob[]> {
  return tx.query<LostJob>(sql`
    select j.id, j.lease, j.attempts, j.max_attempts, j.when_lost, j.worker_id, j.limit_name, greatest(w.heartbeat_at, j.started_at) as heartbeat_at, j.last_completed_item,
      false as ahead
    from jobs j left join workers w on w.id = j.worker_id
    where j.status = 'running' and (w.id is null or w.lost_at is not null)
    union all
    select j.id, j.lease + 1, j.attempts + 1, j.max_attempts, j.when_lost, h.worker_id, null, coalesce(h.heartbeat_at, h.claimed_at), j.last_completed_item,
      true
    from ${reservedBy(sql`
      select h.*, w.heartbeat_at from holds h left join workers w on w.id = h.worker_id where w.id is null or w.lost_at is not null`)}
    order by id limit ${atOnce}`);
}

/** Holds of workers that are gone, once all that was in them is taken back. */
async function forgetLostHolds(db: Database): Promise<void> {
  await db.query(sql`
    delete from holds where ${isSpent}
      and not exists (select from workers w where w.id = holds.worker_id and w.lost_at is null)`);
}

/** Locks those that nobody else has locked: one that is stuck must not keep the others waiting. */
async function lockFree(tx: Transaction, lost: readonly LostJob[]): Promise<Set<string>> {
  const rows = await tx.query<{ id: string }>(sql`
    select id from jobs where id = any (${lost.map(({ id }) => id)}::uuid[]) order by id for no key update skip locked`);
  return new Set(rows.map(({ id }) => id));
}

/**
 * A worker that was stopped, or cut off, in the middle of sending a statement keeps its last transaction open: the server
 * waits for the rest and does not call that idle. Whoever holds a lost worker's job for seconds while the server waits for
 * it is ended; nothing it could still send would be let through the fence. Another rescuer is done sooner.
 */
async function endHolders(db: Database, jobIds: readonly string[]): Promise<void> {
  await db.query(sql`
    select pg_terminate_backend(a.pid)
    from jobs j left join workers w on w.id = j.worker_id join pg_stat_activity a on a.backend_xid = j.xmax
    where j.id = any (${jobIds}::uuid[]) and (j.status = 'pending' or j.status = 'running' and w.lost_at is not null)
      and a.wait_event = 'ClientRead' and a.xact_start < now() - ${stuckAfter}::interval`);
}

function takeBack(job: LostJob): JobWrite {
  const again = job.whenLost === "retry" && job.attempts < job.maxAttempts;
  const since = job.heartbeatAt.toISOString();
  const resume =
    again || job.lastCompletedItem === null ? "" : ` Retry it to go on after item ${job.lastCompletedItem}.`;
  const error = {
    code: "LEASE_LOST",
    message: `Job interrupted (no heartbeat since ${since}).${resume}`,
    retryable: true,
  };
  const lost = jobLost(job.workerId, job.lease);
  return {
    jobId: job.id,
    lease: job.lease,
    limitName: job.limitName,
    workerId: job.workerId,
    starts: job.ahead ? { workerId: job.workerId, msAgo: 0 } : undefined,
    change: again ? { transition: "lose", error } : { transition: "fail", error },
    events: again ? [lost] : [lost, jobFailed(error, job.attempts, job.lease)],
  };
}
