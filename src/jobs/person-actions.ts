/** What a person does to jobs and batches: cancel and retry. Each raises InvalidTransition when the state does not fit. */

import type { JobState } from "../contract/states.ts";
import type { Clock } from "../db/clock.ts";
import { type Database, sqlState } from "../db/database.ts";
import type { Hints } from "../db/hints.ts";
import { type Sql, sql } from "../db/sql.ts";
import { DocmillError } from "../errors.ts";
import { type Enqueuer, LockHeld } from "./enqueue.ts";
import type { EngineObserver } from "./happenings.ts";
import { jobCancelled, jobRetried } from "./job-events.ts";
import { InvalidTransition, transitions } from "./lifecycle.ts";
import type { StateChange } from "./queries/job-write.ts";
import { writeJobs } from "./queries/write-jobs.ts";
import { topicsOf } from "./topics.ts";

export interface PersonActions {
  cancelJob(jobId: string): Promise<void>;
  retryJob(jobId: string): Promise<void>;
  /** Answers how many jobs were cancelled: 0 if none was active. */
  cancelBatch(batchId: string): Promise<number>;
  /** Answers how many failed or cancelled jobs were started again. */
  retryBatch(batchId: string): Promise<number>;
}

export interface PersonActionsOptions {
  db: Database;
  clock: Clock;
  hints: Hints;
  createFollowUps: Enqueuer["createFollowUps"];
  observe?: EngineObserver;
}

type Action = "cancel" | "retry";

const lockKeyIndex = "jobs_one_active_per_lock_key";

interface LockedJob {
  id: string;
  status: JobState;
  limitName: string | null;
}

const eventOf = { cancel: jobCancelled, retry: jobRetried } as const;
const batchEventOf = { cancel: "batch_cancelled", retry: "batch_retried" } as const;

export function createPersonActions(options: PersonActionsOptions): PersonActions {
  const { db, clock, hints, createFollowUps, observe } = options;
  return {
    cancelJob: (jobId) => changeOne(jobId, "cancel"),
    retryJob: (jobId) => changeOne(jobId, "retry"),
    cancelBatch: (batchId) => changeBatch(batchId, "cancel"),
    retryBatch: (batchId) => changeBatch(batchId, "retry"),
  };

  async function changeOne(jobId: string, action: Action): Promise<void> {
    // A single retry opens its batch again, and the batch says so; a single cancel is for the batch's counters only.
    const batchEvent = action === "retry" ? batchEventOf.retry : undefined;
    const { found, written } = await change(sql`id = ${jobId}`, action, batchEvent);
    const [job] = found;
    if (!job) throw jobNotFound(jobId);
    if (written.length === 0) throw new InvalidTransition(jobId, job.status, transitions[action].to);
  }

  async function changeBatch(batchId: string, action: Action): Promise<number> {
    const [batch] = await db.query(sql`select from batches where id = ${batchId}`);
    if (!batch) throw new DocmillError("NOT_FOUND", `There is no batch ${batchId}.`);
    // All its jobs, whatever their state: one that another person is just starting again counts by what it becomes.
    const { written } = await change(sql`batch_id = ${batchId}`, action, batchEventOf[action]);
    return written.length;
  }

  /** Locks the jobs, then changes those that are in a state the action fits. */
  async function change(which: Sql, action: Action, batchEvent?: StateChange["batchEvent"]) {
    try {
      const result = await db.transaction(async (tx) => {
        const found = await tx.query<LockedJob>(sql`
          select id, status, limit_name from jobs where ${which} order by id for no key update`);
        const fitting = found.filter(({ status }) =>
          (transitions[action].from as readonly JobState[]).includes(status),
        );
        const writes = fitting.map(({ id, status, limitName }) => ({
          jobId: id,
          lease: null,
          was: status,
          limitName,
          change: { transition: action, batchEvent },
          events: [eventOf[action]],
        }));
        const written = writes.length === 0 ? [] : await writeJobs(tx, writes, { clock });
        const topics = await createFollowUps(tx, [], written);
        return { found, written, topics };
      });
      hints.publish([...topicsOf(result.written), ...result.topics]);
      observe?.({ type: "written", jobs: result.written });
      return result;
    } catch (error) {
      if (sqlState(error) === "23505" && (error as { constraint?: string }).constraint === lockKeyIndex) {
        throw await lockHolder(which);
      }
      throw error;
    }
  }

  async function lockHolder(which: Sql): Promise<LockHeld> {
    const [holder] = await db.query<{ id: string; lockKey: string }>(sql`
      select id, lock_key from jobs
      where lock_key in (select lock_key from jobs where ${which}) and status in ('pending', 'running') limit 1`);
    return new LockHeld(holder?.lockKey ?? "its lock key", holder?.id);
  }
}

export function jobNotFound(jobId: string): DocmillError {
  return new DocmillError("NOT_FOUND", `There is no job ${jobId}.`);
}
