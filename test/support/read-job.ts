/** All there is about a job or a batch, read straight from the tables, for tests to compare. */
import { type BatchState, isEnded, type JobState } from "../../src/contract/states.ts";
import type { Queryable } from "../../src/db/database.ts";
import { sql } from "../../src/db/sql.ts";
import type { ItemError } from "../../src/jobs/queries/job-write.ts";
import { until } from "./until.ts";

export interface JobRecord {
  id: string;
  kind: string;
  status: JobState;
  attempts: number;
  lease: number;
  workerId: string | null;
  parentId: string | null;
  runAt: Date;
  createdAt: Date;
  startedAt: Date | null;
  completedAt: Date | null;
  totalItems: number | null;
  completedItems: number;
  failedItems: number;
  currentItem: string | null;
  lastCompletedItem: string | null;
  message: string | null;
  detail: unknown;
  result: unknown;
  errorCode: string | null;
  errorMessage: string | null;
  lastEvent: number;
  /** Changes with every write of the row. */
  rowVersion: string;
}

export async function readJob(db: Queryable, id: string): Promise<JobRecord> {
  const [job] = await db.query<JobRecord>(sql`select *, xmin::text as row_version from jobs where id = ${id}`);
  if (!job) throw new Error(`there is no job ${id}`);
  return job;
}

/** The job as soon as `wanted` is true of it. */
export function jobWhen(db: Queryable, id: string, wanted: (job: JobRecord) => boolean): Promise<JobRecord> {
  return until(async () => {
    const job = await readJob(db, id);
    return wanted(job) && job;
  });
}

export function jobEnded(db: Queryable, id: string): Promise<JobRecord> {
  return jobWhen(db, id, ({ status }) => isEnded(status));
}

export interface ErrorRecord {
  attempt: number;
  lease: number;
  code: string;
  message: string;
  retryable: boolean;
  stage: string | null;
  workerId: string | null;
  createdAt: Date;
}

export function readErrors(db: Queryable, jobId: string): Promise<ErrorRecord[]> {
  return db.query<ErrorRecord>(sql`select * from job_errors where job_id = ${jobId} order by lease`);
}

export interface ItemRecord {
  stage: string;
  key: string;
  done: boolean;
  lease: number;
  output: unknown;
  error: ItemError | null;
}

export function readItems(db: Queryable, jobId: string): Promise<ItemRecord[]> {
  return db.query<ItemRecord>(sql`select * from job_items where job_id = ${jobId} order by stage, key`);
}

export async function readStages(db: Queryable, jobId: string): Promise<string[]> {
  const rows = await db.query<{ name: string }>(sql`select name from job_stages where job_id = ${jobId}`);
  return rows.map(({ name }) => name);
}

export interface EventRecord {
  number: number;
  type: string;
  data: Record<string, unknown>;
}

/** The events of a job or a batch in order; fails if their numbers are not 1, 2, 3 … up to what the stream says. */
export async function readStream(db: Queryable, streamId: string): Promise<EventRecord[]> {
  // One statement: a stream that grows meanwhile must not look like one with a gap.
  const [row] = await db.query<{ lastEvent: number; events: EventRecord[] }>(sql`
    select s.last_event, coalesce((
      select json_agg(json_build_object('number', number, 'type', type, 'data', data) order by number)
      from events where stream_id = s.id), '[]') as events
    from (select id, last_event from jobs union all select id, last_event from batches) s where s.id = ${streamId}`);
  if (!row) throw new Error(`there is no stream ${streamId}`);
  const numbers = row.events.map(({ number }) => number);
  const gapless = numbers.length === row.lastEvent && numbers.every((number, index) => number === index + 1);
  if (!gapless) throw new Error(`stream ${streamId} says ${row.lastEvent} and has ${numbers.join(" ")}`);
  return row.events;
}

export async function eventTypes(db: Queryable, streamId: string): Promise<string[]> {
  return (await readStream(db, streamId)).map(({ type }) => type);
}

export interface BatchRecord {
  status: BatchState;
  totalJobs: number;
  completedJobs: number;
  failedJobs: number;
  cancelledJobs: number;
  completedAt: Date | null;
}

export async function readBatch(db: Queryable, id: string): Promise<BatchRecord> {
  const [batch] = await db.query<BatchRecord>(sql`select * from batches where id = ${id}`);
  if (!batch) throw new Error(`there is no batch ${id}`);
  return batch;
}

/** The batch as soon as it is neither pending nor running. */
export function batchEnded(db: Queryable, id: string): Promise<BatchRecord> {
  return until(async () => {
    const batch = await readBatch(db, id);
    return batch.status !== "pending" && batch.status !== "running" && batch;
  });
}

/** What the batch's counters should be, counted from the rows of its jobs, beside what they are. */
export async function countBatch(
  db: Queryable,
  id: string,
): Promise<{ counters: object; rows: object; turns: object }> {
  const [counted] = await db.query<{ counters: object; rows: object; turns: object }>(sql`
    select
      json_build_object('total', b.total_jobs, 'completed', b.completed_jobs, 'failed', b.failed_jobs, 'cancelled', b.cancelled_jobs) as counters,
      (select json_build_object('total', count(*), 'completed', count(*) filter (where status = 'completed'),
        'failed', count(*) filter (where status = 'failed'), 'cancelled', count(*) filter (where status = 'cancelled'))
        from jobs where batch_id = b.id) as rows,
      (select json_build_object('says', coalesce(sum(t.running), 0),
        'runs', (select count(*) from jobs where batch_id = b.id and status = 'running')) from batch_turns t where t.batch_id = b.id) as turns
    from batches b where b.id = ${id}`);
  if (!counted) throw new Error(`there is no batch ${id}`);
  return counted;
}
