/**
 * The one statement that changes jobs once they exist: checkpoints, items, progress, events and every change of state
 * except the claim. It takes many jobs at a time, so that jobs running side by side share a transaction. What follows
 * for limits and batches is in share-changes.ts.
 *
 * Each write updates its job's row first, on the condition that it still has the lease and the state the write was made
 * for (the fence). What a refused write carried is not written anywhere, and its job is missing from the answer.
 *
 * Rows are locked in one order everywhere: jobs, limits, turns, batches, each by key. A claim takes limits first, but
 * never waits for a job or a turn (it skips those that are locked), so no cycle of waiting can form.
 */

import type { BatchEventType } from "../../contract/events.ts";
import type { BatchState, JobState } from "../../contract/states.ts";
import type { Clock } from "../../db/clock.ts";
import type { Queryable } from "../../db/database.ts";
import { rowsOf } from "../../db/rows.ts";
import { nothing, type Sql, sql } from "../../db/sql.ts";
import { type TransitionName, transitions } from "../lifecycle.ts";
import { shareChanges } from "./share-changes.ts";

/** A change of state with what belongs to it. */
export interface StateChange {
  transition: Exclude<TransitionName, "claim">;
  error?: { code: string; message: string; retryable: boolean; stage?: string };
  /** For a job that goes back to pending: when it may start again, from now. Without it, at once. */
  delayMs?: number;
  result?: unknown;
  /** Set when a person acts on the whole batch: the batch gets this one event, and the state that goes with it. */
  batchEvent?: Extract<BatchEventType, "batch_cancelled" | "batch_retried">;
}

export interface StageWrite {
  name: string;
  output: unknown;
  startedMsAgo: number;
}

export interface ItemError {
  error: string;
  error_type: "retryable" | "terminal";
  code: string;
}

interface ItemWrite {
  stage: string;
  key: string;
  output?: unknown;
  error?: ItemError;
}

/** Absolute, never a delta; what is left out stays as it is. */
export interface ProgressWrite {
  total?: number;
  completed?: number;
  failed?: number;
  current?: string | null;
  lastCompleted?: string;
  message?: string | null;
  detail?: unknown;
}

export interface EventWrite {
  type: string;
  data: Record<string, unknown>;
  /** Also append it to the batch's stream, with jobId and sequence added. */
  toBatch?: boolean;
}

export interface JobWrite {
  jobId: string;
  /** The lease the write was made under; null for a person's change, which holds no lease but has locked the row. */
  lease: number | null;
  /** The length of the job's stream the write was made for: of a write and its repetition one lands. */
  afterEvent?: number;
  /** The state the write was made for; `running`, if left out. */
  was?: JobState;
  /** In no batch and under no limit, as its holder knows from the claim: then those are not looked at. */
  alone?: boolean;
  /** The limit it has been running under, which its end frees. */
  limitName?: string | null;
  /** Who ran it, for the error log. */
  workerId?: string | null;
  change?: StateChange;
  stage?: StageWrite;
  /** Stages before it that had nothing to do. */
  skipped?: StageWrite[];
  items?: ItemWrite[];
  progress?: ProgressWrite;
  events: EventWrite[];
}

export interface WrittenJob {
  id: string;
  kind: string;
  was: JobState;
  status: JobState;
  batchId: string | null;
  /** The batch's new state, on one row of each batch whose last job this was. */
  batchEnded: BatchState | null;
}

export interface WriteJobsOptions {
  clock: Clock;
  /** Only the crash test's planted bug turns this off. */
  fencing?: boolean;
}

export async function writeJobs(
  db: Queryable,
  writes: readonly JobWrite[],
  options: WriteJobsOptions,
): Promise<WrittenJob[]> {
  const now = options.clock.now();
  const fence =
    options.fencing === false
      ? sql`true`
      : sql`(op.lease is null or j.lease = op.lease) and (op.after_event is null or j.last_event = op.after_event)`;
  const { ops, skipped, items, events } = toRows(writes);
  const shared = writes.every(({ alone }) => alone) ? undefined : shareChanges(now);
  return db.query<WrittenJob>(sql`
    with op as materialized (${rowsOf(opColumns, ops)}),
    held as (
      update jobs j set
        status = coalesce(op.to_state, j.status),
        worker_id = case when op.to_state is null then j.worker_id end,
        limit_name = case when op.to_state is null then j.limit_name end,
        attempts = case op.attempts when 'give back' then j.attempts - 1 when 'reset' then 0 else j.attempts end,
        run_at = case when op.to_state = 'pending' then
          case when op.delay_ms is null then least(j.run_at, ${now}) else ${now} + op.delay_ms * interval '1 ms' end
          else j.run_at end,
        completed_at = case when op.to_state is null then j.completed_at when op.to_state <> 'pending' then ${now} end,
        error_code = case when op.to_state = 'failed' then op.error_code end,
        error_message = case when op.to_state = 'failed' then op.error_message end,
        result = coalesce(op.result, j.result),
        total_items = case when coalesce(op.total, j.total_items, op.completed, op.failed) is not null then
          greatest(coalesce(op.total, j.total_items),
            greatest(j.completed_items, op.completed) + coalesce(op.failed, j.failed_items)) end,
        completed_items = greatest(j.completed_items, op.completed),
        failed_items = coalesce(op.failed, j.failed_items),
        current_item = case when op.clear_current or op.to_state is not null then null else coalesce(op.current_item, j.current_item) end,
        last_completed_item = coalesce(op.last_completed, j.last_completed_item),
        message = case when op.clear_message then null else coalesce(op.message, j.message) end,
        detail = coalesce(op.detail, j.detail),
        last_event = j.last_event + op.event_count
      from op
      -- The array makes the planner look the rows up by key, in order; joined alone it would read the whole table.
      where j.id = op.job_id and j.id = any (array(select job_id from op)) and j.status = op.was and ${fence}
      returning op.*, j.kind, j.batch_id, j.sequence, j.run_at, j.attempts as attempt, j.lease as current_lease,
        j.last_event - op.event_count as last_event
    ),
    stages as (
      insert into job_stages (job_id, name, lease, output, started_at, finished_at)
      select job_id, stage, current_lease, stage_output, ${now} - stage_ms * interval '1 ms', ${now} from held where stage is not null
    ),
    ${skipped.length === 0 ? nothing : writeSkipped(skipped, now)}
    ${items.length === 0 ? nothing : writeItems(items, now)}
    ${ops.some((op) => op.error_code !== undefined) ? writeErrors(now) : nothing}
    event as materialized (
      select h.job_id, h.batch_id, h.sequence, h.last_event, e.place, e.type, e.data, e.to_batch
      from (${rowsOf(eventColumns, events)}) e join held h using (job_id)
    ),
    job_events as (
      insert into events (stream_id, number, type, data, created_at)
      select job_id, last_event + place, type, data, ${now} from event
    )
    ${shared?.changes ?? nothing}
    select h.job_id as id, h.kind, h.was, coalesce(h.to_state, h.was) as status, h.batch_id, ${shared?.batchEnded ?? sql`null::text`} as batch_ended
    from held h ${shared?.join ?? nothing}`);
}

function writeSkipped(skipped: readonly SkippedRow[], now: Sql): Sql {
  return sql`
    skipped as (
      insert into job_stages (job_id, name, lease, output, started_at, finished_at)
      select h.job_id, s.name, h.current_lease, s.output, ${now} - s.ms * interval '1 ms', ${now}
      from (${rowsOf(skippedColumns, skipped)}) s join held h using (job_id)
    ),`;
}

function writeItems(items: readonly ItemRow[], now: Sql): Sql {
  return sql`
    items as (
      insert into job_items as i (job_id, stage, key, done, lease, output, error, finished_at)
      select h.job_id, it.stage, it.key, it.error is null, h.current_lease, it.output, it.error, ${now}
      from (${rowsOf(itemColumns, items)}) it join held h using (job_id)
      on conflict (job_id, stage, key) do update
        set done = excluded.done, lease = excluded.lease, output = excluded.output, error = excluded.error, finished_at = excluded.finished_at
        where not i.done
    ),`;
}

function writeErrors(now: Sql): Sql {
  return sql`
    errors as (
      insert into job_errors (job_id, lease, attempt, code, message, retryable, stage, worker_id, created_at)
      select job_id, current_lease, attempt, error_code, error_message, error_retryable, error_stage, worker_id, ${now}
      from held where error_code is not null
      on conflict (job_id, lease) do nothing
    ),`;
}

const opColumns = {
  job_id: "uuid",
  lease: "integer",
  after_event: "integer",
  was: "text",
  to_state: "text",
  limit_name: "text",
  worker_id: "uuid",
  attempts: "text",
  delay_ms: "double precision",
  error_code: "text",
  error_message: "text",
  error_retryable: "boolean",
  error_stage: "text",
  result: "jsonb",
  batch_event: "text",
  stage: "text",
  stage_output: "jsonb",
  stage_ms: "double precision",
  total: "integer",
  completed: "integer",
  failed: "integer",
  current_item: "text",
  clear_current: "boolean",
  last_completed: "text",
  message: "text",
  clear_message: "boolean",
  detail: "jsonb",
  event_count: "integer",
} as const;
const skippedColumns = { job_id: "uuid", name: "text", output: "jsonb", ms: "double precision" } as const;
const itemColumns = { job_id: "uuid", stage: "text", key: "text", output: "jsonb", error: "jsonb" } as const;
const eventColumns = { job_id: "uuid", place: "integer", type: "text", data: "jsonb", to_batch: "boolean" } as const;

type OpRow = { [K in keyof typeof opColumns]?: unknown };
type SkippedRow = { [K in keyof typeof skippedColumns]?: unknown };
type ItemRow = { [K in keyof typeof itemColumns]?: unknown };
type EventRow = { [K in keyof typeof eventColumns]?: unknown };

function toRows(writes: readonly JobWrite[]) {
  const ops: OpRow[] = [];
  const skipped: SkippedRow[] = [];
  const items: ItemRow[] = [];
  const events: EventRow[] = [];
  const inOrder = [...writes].sort((a, b) => (a.jobId < b.jobId ? -1 : 1));
  for (const write of inOrder) {
    const { jobId, change, progress, stage } = write;
    ops.push({
      job_id: jobId,
      lease: write.lease,
      after_event: write.afterEvent,
      was: write.was ?? "running",
      to_state: change && transitions[change.transition].to,
      limit_name: write.limitName,
      worker_id: write.workerId,
      attempts: change?.transition === "release" ? "give back" : change?.transition === "retry" ? "reset" : undefined,
      delay_ms: change?.delayMs,
      error_code: change?.error?.code,
      error_message: change?.error?.message,
      error_retryable: change?.error?.retryable,
      error_stage: change?.error?.stage,
      result: change?.result,
      batch_event: change?.batchEvent,
      stage: stage?.name,
      stage_output: stage?.output,
      stage_ms: stage?.startedMsAgo,
      total: progress?.total,
      completed: progress?.completed,
      failed: progress?.failed,
      current_item: progress?.current,
      clear_current: progress?.current === null || undefined,
      last_completed: progress?.lastCompleted,
      message: progress?.message,
      clear_message: progress?.message === null || undefined,
      detail: progress?.detail,
      event_count: write.events.length,
    });
    for (const { name, output, startedMsAgo: ms } of write.skipped ?? [])
      skipped.push({ job_id: jobId, name, output, ms });
    for (const { stage: ofStage, key, output, error } of write.items ?? [])
      items.push({ job_id: jobId, stage: ofStage, key, output, error });
    write.events.forEach((event, index) => {
      events.push({ job_id: jobId, place: index + 1, type: event.type, data: event.data, to_batch: event.toBatch });
    });
  }
  return { ops, skipped, items, events };
}
