/** What a person does to jobs and batches: cancel and retry. Each raises InvalidTransition when the state does not fit. */
import type { Clock } from "../clock.ts";
import type { JobState } from "../contract/states.ts";
import { type Database, sqlState } from "../db/database.ts";
import type { Hints } from "../db/hints.ts";
import { sql } from "../db/sql.ts";
import { DocmillError } from "../errors.ts";
import { streamTopic } from "../events/topics.ts";
import type { Enqueuer } from "./enqueue.ts";
import { LockHeld } from "./enqueue.ts";
import { jobCancelled, jobRetried } from "./job-events.ts";
import { InvalidTransition, transitions } from "./lifecycle.ts";
import { type StateChange, type WrittenJob, writeJobs } from "./queries/write-jobs.ts";
import { jobTopic, kindTopic } from "./topics.ts";

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
}

type Action = "cancel" | "retry";

const eventOf = { cancel: jobCancelled, retry: jobRetried } as const;
const batchEventOf = { cancel: "batch_cancelled", retry: "batch_retried" } as const;

export function createPersonActions({ db, clock, hints, createFollowUps }: PersonActionsOptions): PersonActions {
  return {
    cancelJob: (jobId) => changeOne(jobId, "cancel"),
    retryJob: (jobId) => changeOne(jobId, "retry"),
    cancelBatch: (batchId) => changeBatch(batchId, "cancel"),
    retryBatch: (batchId) => changeBatch(batchId, "retry"),
  };

  async function changeOne(jobId: string, action: Action): Promise<void> {
    const [written] = await change([jobId], { transition: action }, action);
    if (written) return;
    const [job] = await db.query<{ status: JobState }>(sql`select status from jobs where id = ${jobId}`);
    if (!job) throw jobNotFound(jobId);
    throw new InvalidTransition(jobId, job.status, transitions[action].to);
  }

  async function changeBatch(batchId: string, action: Action): Promise<number> {
    const rows = await db.query<{ id: string | null }>(sql`
      select j.id from batches b
      left join jobs j on j.batch_id = b.id and j.status = any (${transitions[action].from}::text[])
      where b.id = ${batchId}`);
    if (rows.length === 0) throw new DocmillError("NOT_FOUND", `There is no batch ${batchId}.`);
    const ids = rows.flatMap(({ id }) => id ?? []);
    if (ids.length === 0) return 0;
    return (await change(ids, { transition: action, batchEvent: batchEventOf[action] }, action)).length;
  }

  async function change(jobIds: readonly string[], stateChange: StateChange, action: Action): Promise<WrittenJob[]> {
    const writes = jobIds.map((jobId) => ({ jobId, lease: null, change: stateChange, events: [eventOf[action]] }));
    try {
      const written = await db.transaction(async (tx) => {
        const rows = await writeJobs(tx, writes, { clock });
        await createFollowUps(tx, [], rows);
        return rows;
      });
      hints.publish(written.flatMap(({ id, kind, batchId }) => [jobTopic(id), streamTopic(id), kindTopic(kind), ...(batchId ? [streamTopic(batchId)] : [])]));
      return written;
    } catch (error) {
      if (sqlState(error) === "23505" && (error as { constraint?: string }).constraint === "jobs_one_active_per_lock_key") {
        throw await lockHolder(jobIds);
      }
      throw error;
    }
  }

  async function lockHolder(jobIds: readonly string[]): Promise<LockHeld> {
    const [holder] = await db.query<{ id: string; lockKey: string }>(sql`
      select holder.id, holder.lock_key from jobs j
      join jobs holder on holder.lock_key = j.lock_key and holder.status in ('pending', 'running')
      where j.id = any (${jobIds}::uuid[]) limit 1`);
    return new LockHeld(holder?.lockKey ?? "its lock key", holder?.id);
  }
}

export function jobNotFound(jobId: string): DocmillError {
  return new DocmillError("NOT_FOUND", `There is no job ${jobId}.`);
}
