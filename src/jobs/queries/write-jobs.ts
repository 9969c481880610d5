/**
 * The one statement that changes jobs once they exist: checkpoints, items, progress, events and every change of state
 * except the claim. It takes many jobs at a time, so that jobs running side by side share a transaction.
 *
 * Each write locks its job's row and goes on only if the row still has the lease and the state the write was made for
 * (the fence). What a refused write carried is not written anywhere, and its job is missing from the answer.
 *
 * Rows are locked in one order everywhere: jobs, limits, turns, batches, each by key. A claim takes limits first, but
 * never waits for a job or a turn (it skips those that are locked), so no cycle of waiting can form.
 */
import type { Clock } from "../../clock.ts";
import type { BatchState, JobState } from "../../contract/states.ts";
import type { Queryable } from "../../db/database.ts";
import { sql } from "../../db/sql.ts";
import { type TransitionName, transitions } from "../lifecycle.ts";

/** A change of state with what belongs to it. */
export interface StateChange {
  transition: Exclude<TransitionName, "claim">;
  error?: { code: string; message: string; retryable: boolean; stage?: string };
  /** For a job that goes back to pending: when it may start again, from now. Without it, at once. */
  delayMs?: number;
  result?: unknown;
  /** Set when a person acts on the whole batch: the batch gets this one event, and the state that goes with it. */
  batchEvent?: "batch_cancelled" | "batch_retried";
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

export interface ItemWrite {
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
  /** The lease the write was made under; null for a person's change, which holds no lease. */
  lease: number | null;
  change?: StateChange;
  stage?: StageWrite;
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

const running: readonly JobState[] = ["running"];

export async function writeJobs(db: Queryable, writes: readonly JobWrite[], options: WriteJobsOptions): Promise<WrittenJob[]> {
  const now = options.clock.now();
  const fence = options.fencing === false ? sql`true` : sql`(op.lease is null or j.lease = op.lease)`;
  const { ops, items, events } = toRows(writes);
  return db.query<WrittenJob>(sql`
    with op as materialized (
      select * from json_to_recordset(${JSON.stringify(ops)}) as op (
        job_id uuid, lease integer, from_states text, to_state text, attempts text, delay_ms double precision,
        error_code text, error_message text, error_retryable boolean, error_stage text, result jsonb, batch_event text,
        stage text, stage_output jsonb, stage_ms double precision,
        total integer, completed integer, failed integer, current_item text, clear_current boolean,
        last_completed text, message text, clear_message boolean, detail jsonb, event_count integer)
    ),
    held as materialized (
      select op.*, j.status as was, j.kind, j.batch_id, j.sequence, j.limit_name, j.worker_id, j.last_event,
        j.attempts as attempt, j.lease as current_lease,
        case when op.to_state = 'pending' then
          case when op.delay_ms is null then least(j.run_at, ${now}) else ${now} + op.delay_ms * interval '1 ms' end
        end as new_run_at
      from op join jobs j on j.id = op.job_id
      where j.status = any (string_to_array(op.from_states, ',')) and ${fence}
      order by j.id
      for no key update of j
    ),
    moved as (
      update jobs j set
        status = coalesce(h.to_state, j.status),
        worker_id = case when h.to_state is null then j.worker_id end,
        limit_name = case when h.to_state is null then j.limit_name end,
        attempts = case h.attempts when 'give back' then j.attempts - 1 when 'reset' then 0 else j.attempts end,
        run_at = coalesce(h.new_run_at, j.run_at),
        completed_at = case when h.to_state is null then j.completed_at when h.to_state <> 'pending' then ${now} end,
        error_code = case when h.to_state = 'failed' then h.error_code end,
        error_message = case when h.to_state = 'failed' then h.error_message end,
        result = coalesce(h.result, j.result),
        total_items = case when coalesce(h.total, j.total_items, h.completed, h.failed) is not null then
          greatest(coalesce(h.total, j.total_items),
            greatest(j.completed_items, h.completed) + coalesce(h.failed, j.failed_items)) end,
        completed_items = greatest(j.completed_items, h.completed),
        failed_items = coalesce(h.failed, j.failed_items),
        current_item = case when h.clear_current or h.to_state is not null then null else coalesce(h.current_item, j.current_item) end,
        last_completed_item = coalesce(h.last_completed, j.last_completed_item),
        message = case when h.clear_message then null else coalesce(h.message, j.message) end,
        detail = coalesce(h.detail, j.detail),
        last_event = j.last_event + h.event_count
      from held h
      where j.id = h.job_id
    ),
    stages as (
      insert into job_stages (job_id, name, lease, output, started_at, finished_at)
      select job_id, stage, lease, stage_output, ${now} - stage_ms * interval '1 ms', ${now} from held where stage is not null
    ),
    items as (
      insert into job_items as i (job_id, stage, key, done, lease, output, error, finished_at)
      select h.job_id, it.stage, it.key, it.error is null, h.current_lease, it.output, it.error, ${now}
      from json_to_recordset(${JSON.stringify(items)}) as it (job_id uuid, stage text, key text, output jsonb, error jsonb)
      join held h using (job_id)
      on conflict (job_id, stage, key) do update
        set done = excluded.done, lease = excluded.lease, output = excluded.output, error = excluded.error, finished_at = excluded.finished_at
        where not i.done
    ),
    errors as (
      insert into job_errors (job_id, lease, attempt, code, message, retryable, stage, worker_id, created_at)
      select job_id, current_lease, attempt, error_code, error_message, error_retryable, error_stage, worker_id, ${now}
      from held where error_code is not null
      on conflict (job_id, lease) do nothing
    ),
    event as materialized (
      select h.job_id, h.batch_id, h.sequence, h.last_event, e.place, e.type, e.data, e.to_batch
      from json_to_recordset(${JSON.stringify(events)}) as e (job_id uuid, place integer, type text, data jsonb, to_batch boolean)
      join held h using (job_id)
    ),
    job_events as (
      insert into events (stream_id, number, type, data, created_at)
      select job_id, last_event + place, type, data, ${now} from event
    ),
    locked_limit as materialized (
      select l.name, f.freed
      from (select limit_name, count(*)::integer as freed from held
            where limit_name is not null and was = 'running' and to_state is not null group by limit_name) f
      join job_limits l on l.name = f.limit_name
      order by l.name
      for no key update of l
    ),
    limits as (
      update job_limits l set running = l.running - f.freed from locked_limit f where l.name = f.name
    ),
    locked_turn as materialized (
      select t.batch_id, t.kind, f.freed, f.next_run_at
      from (select batch_id, kind, count(*) filter (where was = 'running')::integer as freed, min(new_run_at) as next_run_at
            from held where batch_id is not null and to_state is not null group by batch_id, kind) f
      join batch_turns t using (batch_id, kind)
      where (select count(*) from locked_limit) >= 0 -- limits before turns
      order by t.batch_id, t.kind
      for no key update of t
    ),
    turns as (
      update batch_turns t set running = t.running - f.freed, turn_at = least(t.turn_at, f.next_run_at)
      from locked_turn f where t.batch_id = f.batch_id and t.kind = f.kind
    ),
    batch_change as (
      select h.batch_id,
        sum((h.to_state = 'completed')::integer)::integer as completed,
        sum((h.to_state = 'failed')::integer - (h.was = 'failed')::integer)::integer as failed,
        sum((h.to_state = 'cancelled')::integer - (h.was = 'cancelled')::integer)::integer as cancelled,
        count(*) filter (where h.to_state in ('completed', 'failed', 'cancelled') or h.was in ('failed', 'cancelled'))::integer as ended_or_reopened,
        bool_or(h.was in ('failed', 'cancelled')) as reopened,
        max(h.batch_event) as batch_event
      from held h where h.batch_id is not null and h.to_state is not null group by h.batch_id
    ),
    batch_event as materialized (
      select batch_id, row_number() over (partition by batch_id order by job_id, place)::integer as place, type,
        jsonb_build_object('jobId', job_id, 'sequence', sequence) || data as data
      from event where to_batch and batch_id is not null
    ),
    locked_batch as materialized (
      select b.id, b.last_event, b.status as was, b.total_jobs,
        b.completed_jobs + coalesce(c.completed, 0) as completed_jobs,
        b.failed_jobs + coalesce(c.failed, 0) as failed_jobs,
        b.cancelled_jobs + coalesce(c.cancelled, 0) as cancelled_jobs,
        coalesce(c.reopened, false) as reopened, c.batch_event, coalesce(c.ended_or_reopened, 0) as touched,
        (select count(*) from batch_event e where e.batch_id = b.id)::integer as event_count
      from batches b left join batch_change c on c.batch_id = b.id
      where b.id in (select batch_id from batch_change union select batch_id from batch_event)
        and (select count(*) from locked_turn) >= 0 -- turns before batches
      order by b.id
      for no key update of b
    ),
    next_batch as materialized (
      select l.*,
        case
          when l.batch_event = 'batch_cancelled' then 'cancelled'
          when l.reopened then 'running'
          when l.was in ('pending', 'running') and l.completed_jobs + l.failed_jobs + l.cancelled_jobs = l.total_jobs then
            case
              when l.completed_jobs = l.total_jobs then 'completed'
              when l.cancelled_jobs = l.total_jobs then 'cancelled'
              when l.completed_jobs = 0 and l.failed_jobs > 0 then 'failed'
              else 'partial'
            end
          else l.was
        end as status
      from locked_batch l
    ),
    batch_note as materialized (
      select id, last_event + event_count + 1 as number,
        coalesce(batch_event, case when status = 'cancelled' then 'batch_cancelled' else 'batch_completed' end) as type,
        case coalesce(batch_event, status)
          when 'batch_cancelled' then jsonb_build_object('cancelledJobs', touched)
          when 'batch_retried' then jsonb_build_object('retriedJobs', touched)
          when 'cancelled' then jsonb_build_object('cancelledJobs', cancelled_jobs)
          else jsonb_build_object('status', status, 'completedJobs', completed_jobs, 'failedJobs', failed_jobs, 'cancelledJobs', cancelled_jobs)
        end as data
      from next_batch
      where batch_event is not null or (status <> was and status in ('completed', 'partial', 'failed', 'cancelled'))
    ),
    counted as (
      update batches b set
        status = n.status,
        completed_jobs = n.completed_jobs,
        failed_jobs = n.failed_jobs,
        cancelled_jobs = n.cancelled_jobs,
        last_event = n.last_event + n.event_count + (select count(*) from batch_note where batch_note.id = n.id)::integer,
        completed_at = case when n.status in ('pending', 'running') then null else coalesce(b.completed_at, ${now}) end
      from next_batch n where b.id = n.id
    ),
    batch_events as (
      insert into events (stream_id, number, type, data, created_at)
      select e.batch_id, b.last_event + e.place, e.type, e.data, ${now} from batch_event e join locked_batch b on b.id = e.batch_id
      union all
      select id, number, type, data, ${now} from batch_note
    )
    select h.job_id as id, h.kind, h.was, coalesce(h.to_state, h.was) as status, h.batch_id,
      case when n.status <> n.was and n.status not in ('pending', 'running')
        and h.job_id = first_value(h.job_id) over (partition by h.batch_id order by h.job_id) then n.status end as batch_ended
    from held h left join next_batch n on n.id = h.batch_id`);
}

function toRows(writes: readonly JobWrite[]) {
  const ops: object[] = [];
  const items: object[] = [];
  const events: object[] = [];
  for (const write of writes) {
    const { jobId, change, progress, stage } = write;
    ops.push({
      job_id: jobId,
      lease: write.lease,
      from_states: (change ? transitions[change.transition].from : running).join(","),
      to_state: change && transitions[change.transition].to,
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
      current_item: progress?.current ?? undefined,
      clear_current: progress?.current === null,
      last_completed: progress?.lastCompleted,
      message: progress?.message ?? undefined,
      clear_message: progress?.message === null,
      detail: progress?.detail,
      event_count: write.events.length,
    });
    for (const item of write.items ?? []) items.push({ job_id: jobId, ...item });
    write.events.forEach((event, index) => {
      events.push({ job_id: jobId, place: index + 1, type: event.type, data: event.data, to_batch: event.toBatch ?? false });
    });
  }
  return { ops, items, events };
}
