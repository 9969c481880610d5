/**
 * The one statement that changes jobs once they exist: checkpoints, items, progress, events and every change of state
 * except the claim. It takes many jobs at a time, so that jobs running side by side share a transaction. What follows
 * for limits and batches is in share-changes.ts.
 *
 * Each write updates its job's row first, on the condition that it still has the lease and the state the write was made
 * for (the fence). What a refused write carried is not written anywhere, and its job is missing from the answer.
 *
 * Rows are locked in one order everywhere: jobs, the queue, limits, turns, batches, each by key. A claim takes limits
 * first, but never waits for a job, its place in the queue or a turn (it skips what is locked), so no cycle of waiting can form.
 *
 * The statement has only the parts that its writes need: the checkpoint of a lone job is a third of the whole.
 */
import type { BatchState, JobState } from "../../contract/states.ts";
import type { Clock } from "../../db/clock.ts";
import type { Queryable } from "../../db/database.ts";
import { lookUpRows } from "../../db/rows.ts";
import { nothing, Sql, sql } from "../../db/sql.ts";
import { transitions } from "../lifecycle.ts";
import {
  type Family,
  families as familyColumns,
  type JobWrite,
  mostlyAlike,
  type OpColumn,
  toRows,
  writeColumns,
} from "./job-write.ts";
import { enterQueueAgain, leaveQueue, removeEmptied } from "./queue-changes.ts";
import { endedBatches, shareChanges } from "./share-changes.ts";

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

type Op = (column: OpColumn) => Sql;

export async function writeJobs(
  db: Queryable,
  writes: readonly JobWrite[],
  options: WriteJobsOptions,
): Promise<WrittenJob[]> {
  const now = options.clock.now();
  const { rows, families } = toRows(writes);
  // What the writes say is looked up, not joined: nothing stands between the rows and their order.
  const op = lookUpRows(columnsOf(families), rows, { key: "job_id", of: sql`j.id`, alike: mostlyAlike });
  const starting = families.has("starting");
  const lease = starting ? sql`j.lease + coalesce(${op("starts")}, false)::integer` : sql`j.lease`;
  const fence =
    options.fencing === false
      ? sql`true`
      : sql`(${op("lease")} is null or ${lease} = ${op("lease")}) and (${op("after_event")} is null or j.last_event = ${op("after_event")})`;
  const shared = families.has("sharing")
    ? shareChanges(now, { telling: families.has("telling"), leaving: families.has("leaving") })
    : undefined;
  const written = sql`
    with held as (
      update jobs j set last_event = j.last_event + ${op("event_count")} ${assignments(op, writes, families, now)}
      where j.id = any (${op("job_id")}) and j.status = ${op("was")} and ${fence}
      returning j.id as job_id ${needsOthers(families) ? forOthers(op, families) : nothing}
    )
    ${families.has("restarting") ? tellStarts(now, families.has("ending")) : nothing}
    ${families.has("leaving") ? leaveQueue : nothing}
    ${families.has("returning") ? enterQueueAgain : nothing}
    ${families.has("stage") ? writeStages(now) : nothing}
    ${families.has("skipped") ? writeSkipped(now) : nothing}
    ${families.has("items") ? writeItems(now) : nothing}
    ${families.has("ending") ? writeErrors(now) : nothing}
    ${families.has("events") ? writeEvents(now) : nothing}
    ${shared ?? nothing}`;
  if (shared) {
    const answers = await db.query<WrittenJob & { ended: Record<string, BatchState> | null }>(sql`
      ${written}
      select h.job_id as id, h.kind, h.was, coalesce(h.to_state, h.was) as status, h.batch_id, ${endedBatches} as ended
      from (select h.job_id, h.kind, h.batch_id, h.to_state, ${starting ? sql`case when h.starts then 'running' else h.was end` : sql`h.was`} as was
            from held h) h order by h.job_id`);
    if (families.has("leaving")) await removeEmptied(db);
    return tellEndsOnce(answers);
  }
  // Their holder knows all there is to say about them but whether they landed, and mostly all have.
  const [answer] = await db.query<{ landed: string[] | null }>(sql`
    ${written}
    select case when count(*) < ${writes.length}::integer then coalesce(array_agg(job_id), '{}') end as landed from held`);
  if (families.has("leaving")) await removeEmptied(db);
  const landed = answer?.landed && new Set(answer.landed);
  return (landed ? writes.filter(({ jobId }) => landed.has(jobId)) : writes).map(toWrittenAlone);
}

/** A batch's end is told on one row of it, so that what follows on it is done once. */
function tellEndsOnce(answers: readonly (WrittenJob & { ended: Record<string, BatchState> | null })[]): WrittenJob[] {
  const told = new Set<string>();
  return answers.map(({ ended, ...job }) => {
    const status = (job.batchId !== null && !told.has(job.batchId) && ended?.[job.batchId]) || null;
    if (status !== null) told.add(job.batchId as string);
    return { ...job, batchEnded: status };
  });
}

/** What these say goes into the job's own row. */
const ofTheRow: ReadonlySet<Family> = new Set(["result", "progress"]);

/** A write that starts and completes concerns the job's row alone. */
function needsOthers(families: ReadonlySet<Family>): boolean {
  return [...families].some((family) => family !== "starting" && !ofTheRow.has(family));
}

/** What the rows of others than the job need to know. */
function forOthers(op: Op, families: ReadonlySet<Family>): Sql {
  const queueing = families.has("leaving") || families.has("returning");
  const states = families.has("sharing") || queueing ? (["was", "to_state", "event_count"] as const) : [];
  const told = [...families]
    .sort()
    .flatMap((family) => (ofTheRow.has(family) ? [] : Object.keys(familyColumns[family])));
  const names = [...states, ...told] as OpColumn[];
  const values = names.reduce((list, name) => sql`${list}, ${op(name)} as ${new Sql([name], [])}`, nothing);
  return sql`${values}, j.lease as current_lease, j.last_event - ${op("event_count")} as last_event
        ${states.length > 0 ? sql`, j.kind, j.batch_id, j.sequence, j.run_at` : nothing}
        ${families.has("restarting") || families.has("ending") ? sql`, j.attempts as attempt` : nothing}
        ${queueing ? sql`, j.priority, j.max_attempts, j.parent_id, case when ${op("to_state")} = 'pending' then j.input end as input` : nothing}`;
}

function columnsOf(families: ReadonlySet<Family>) {
  return Object.assign({ ...writeColumns }, ...[...families].sort().map((family) => familyColumns[family]));
}

function toWrittenAlone({ jobId, alone, was = "running", change }: JobWrite): WrittenJob {
  const status = change ? transitions[change.transition].to : was;
  return { id: jobId, kind: (alone as { kind: string }).kind, was, status, batchId: null, batchEnded: null };
}

/** What each part of a write does to the job's row; a row whose state stays gets no new entry in any index. */
function assignments(op: Op, writes: readonly JobWrite[], families: ReadonlySet<Family>, now: Sql): Sql {
  const changing = writes.some(({ change, starts }) => change ?? starts);
  return sql`
    ${changing ? changeState(op, writes, now, families) : nothing}
    ${families.has("starting") || families.has("ending") ? countAttempts(op, families) : nothing}
    ${families.has("starting") ? sql`, started_at = case when ${op("starts")} then ${now} - ${op("start_us")} * interval '1 us' else j.started_at end` : nothing}
    ${families.has("result") ? sql`, result = coalesce(${op("result")}, j.result)` : nothing}
    ${families.has("progress") ? showProgress(op) : nothing}
    ${changing || families.has("progress") ? currentItem(op, families.has("progress")) : nothing}`;
}

/** None once the job no longer runs. */
function currentItem(op: Op, progressing: boolean): Sql {
  const current = progressing
    ? sql`case when not coalesce(${op("clear_current")}, false) then coalesce(${op("current_item")}, j.current_item) end`
    : sql`j.current_item`;
  return sql`, current_item = case when ${op("to_state")} is null then ${current} end`;
}

function changeState(op: Op, writes: readonly JobWrite[], now: Sql, families: ReadonlySet<Family>): Sql {
  if (writes.every(({ change }) => change?.transition === "complete"))
    return sql`, status = 'completed', worker_id = null, limit_name = null, completed_at = ${now}`;
  const starting = families.has("starting");
  return sql`,
        status = coalesce(${op("to_state")}, ${starting ? sql`case when ${op("starts")} then 'running' else j.status end` : sql`j.status`}),
        worker_id = case when ${op("to_state")} is null then ${starting ? sql`coalesce(${op("starter")}, j.worker_id)` : sql`j.worker_id`} end,
        limit_name = case when ${op("to_state")} is null then j.limit_name end,
        completed_at = case when ${op("to_state")} is null then j.completed_at when ${op("to_state")} <> 'pending' then ${now} end
        ${families.has("ending") ? endOtherwise(op, now) : nothing}`;
}

/**
 * A start is an attempt under a lease of its own. So that nobody who still holds a job from before can write for it,
 * a person's retry raises the lease as well: of one that was cancelled in a hold, its row has never had another.
 */
function countAttempts(op: Op, families: ReadonlySet<Family>): Sql {
  const started = families.has("starting") ? sql`coalesce(${op("starts")}, false)::integer` : sql`0`;
  if (!families.has("ending")) return sql`, attempts = j.attempts + ${started}, lease = j.lease + ${started}`;
  return sql`,
        attempts = case ${op("attempts")} when 'give back' then j.attempts + ${started} - 1 when 'reset' then 0 else j.attempts + ${started} end,
        lease = case when ${op("attempts")} = 'reset' then j.lease + 1 else j.lease + ${started} end`;
}

/** Of those that do not complete. */
function endOtherwise(op: Op, now: Sql): Sql {
  return sql`,
        run_at = case when ${op("to_state")} = 'pending' then
          case when ${op("delay_ms")} is null then least(j.run_at, ${now}) else ${now} + ${op("delay_ms")} * interval '1 ms' end
          else j.run_at end,
        error_code = case when ${op("to_state")} = 'failed' then ${op("error_code")} end,
        error_message = case when ${op("to_state")} = 'failed' then ${op("error_message")} end`;
}

function showProgress(op: Op): Sql {
  return sql`,
        total_items = case when coalesce(${op("total")}, j.total_items, ${op("completed")}, ${op("failed")}) is not null then
          greatest(coalesce(${op("total")}, j.total_items),
            greatest(j.completed_items, ${op("completed")}) + coalesce(${op("failed")}, j.failed_items)) end,
        completed_items = greatest(j.completed_items, ${op("completed")}),
        failed_items = coalesce(${op("failed")}, j.failed_items),
        last_completed_item = coalesce(${op("last_completed")}, j.last_completed_item),
        message = case when ${op("clear_message")} then null else coalesce(${op("message")}, j.message) end,
        detail = coalesce(${op("detail")}, j.detail)`;
}

/** As in a claim: what the job's row said of its first start is about to be forgotten. */
function tellStarts(now: Sql, ending: boolean): Sql {
  // One that is handed back gets its attempt back too, and yet it was this one.
  const attempt = ending ? sql`h.attempt + (h.attempts is not distinct from 'give back')::integer` : sql`h.attempt`;
  return sql`,
    starts as (
      insert into event_rows (stream_id, number, type, data, created_at)
      select h.job_id, h.last_event + 1, 'job_started', jsonb_build_object('attempt', ${attempt}, 'lease', h.current_lease),
        ${now} - h.start_us * interval '1 us'
      from held h where h.starts and h.last_event > 0
      union all
      select h.job_id, 1, 'job_started', '{"attempt": 1, "lease": 1}', j.started_at
      from held h join jobs j on j.id = h.job_id
      where h.starts and h.last_event > 0 and j.started_at is not null
        and not exists (select from event_rows e where e.stream_id = h.job_id and e.number = 1)
    )`;
}

function writeStages(now: Sql): Sql {
  return sql`,
    stages as (
      insert into job_stages (job_id, name, lease, output, started_at, finished_at, event_number)
      select job_id, stage, current_lease, stage_output, ${now} - stage_us * interval '1 us', ${now}, last_event + stage_place
      from held where stage is not null
    )`;
}

function writeSkipped(now: Sql): Sql {
  return sql`,
    skipped as (
      insert into job_stages (job_id, name, lease, output, started_at, finished_at, event_number)
      select h.job_id, s.name, h.current_lease, s.output, ${now} - s.ms * interval '1 ms', ${now}, h.last_event + s.place
      from held h
      cross join lateral jsonb_to_recordset(h.skipped) as s (name text, output jsonb, ms double precision, place integer)
    )`;
}

function writeItems(now: Sql): Sql {
  return sql`,
    items as (
      insert into job_items as i (job_id, stage, key, done, lease, output, error, finished_at)
      select h.job_id, it.stage, it.key, it.error is null, h.current_lease, it.output, it.error, ${now}
      from held h
      cross join lateral jsonb_to_recordset(h.items) as it (stage text, key text, output jsonb, error jsonb)
      on conflict (job_id, stage, key) do update
        set done = excluded.done, lease = excluded.lease, output = excluded.output, error = excluded.error, finished_at = excluded.finished_at
        where not i.done
    )`;
}

function writeErrors(now: Sql): Sql {
  return sql`,
    errors as (
      insert into job_errors (job_id, lease, attempt, code, message, retryable, stage, worker_id, created_at)
      select job_id, current_lease, attempt, error_code, error_message, error_retryable, error_stage, worker_id, ${now}
      from held where error_code is not null
      on conflict (job_id, lease) do nothing
    )`;
}

function writeEvents(now: Sql): Sql {
  return sql`,
    job_events as (
      insert into event_rows (stream_id, number, type, data, created_at)
      select h.job_id, h.last_event + e.place, e.type, e.data, ${now}
      from held h cross join lateral jsonb_to_recordset(h.events) as e (place integer, type text, data jsonb)
    )`;
}
