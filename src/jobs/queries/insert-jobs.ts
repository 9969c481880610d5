/** Writes new jobs, many at a time, and gives the batches among them their place in the queue. */
import type { Clock } from "../../db/clock.ts";
import type { Queryable } from "../../db/database.ts";
import { notifyInline } from "../../db/hints.ts";
import { nothing, type Sql, sql } from "../../db/sql.ts";

export interface JobRow {
  id: string;
  kind: string;
  input: unknown;
  priority: number;
  maxAttempts: number;
  whenLost: "retry" | "fail";
  delayMs: number;
  batchId?: string;
  sequence?: number;
  parentId?: string;
  lockKey?: string;
  /** How many jobs of its kind may run at once in its batch. */
  perBatch?: number;
}

const unlimited = 2_147_483_647;

/**
 * Answers how many were written: one fewer for each whose lock key a pending or running job has. `hint` rides along in
 * the same transaction.
 */
export async function insertJobs(
  db: Queryable,
  rows: readonly JobRow[],
  clock: Clock,
  hint: string | null = null,
): Promise<number> {
  const now = clock.now();
  const turns = new Map<
    string,
    { kind: string; batch_id: string; priority: number; max_running: number; delay_ms: number }
  >();
  for (const { kind, batchId, priority, perBatch, delayMs } of rows) {
    if (batchId === undefined) continue;
    const turn = turns.get(`${batchId} ${kind}`);
    if (turn) turn.delay_ms = Math.min(turn.delay_ms, delayMs);
    else
      turns.set(`${batchId} ${kind}`, {
        kind,
        batch_id: batchId,
        priority,
        max_running: perBatch ?? unlimited,
        delay_ms: delayMs,
      });
  }
  const queued = rows.some(({ batchId }) => batchId === undefined);
  const [answer] = await db.query<{ inserted: number }>(sql`
    with new_row as materialized (
      select id, kind, input, priority, max_attempts, when_lost, ${now} + delay_ms * interval '1 ms' as run_at, batch_id, sequence, parent_id, lock_key
      from unnest(
        ${rows.map((row) => row.id)}::uuid[],
        ${rows.map((row) => row.kind)}::text[],
        ${rows.map((row) => JSON.stringify(row.input))}::text[],
        ${rows.map((row) => row.priority)}::smallint[],
        ${rows.map((row) => row.maxAttempts)}::smallint[],
        ${rows.map((row) => row.whenLost)}::text[],
        ${rows.map((row) => row.delayMs)}::double precision[],
        ${rows.map((row) => row.batchId)}::uuid[],
        ${rows.map((row) => row.sequence)}::integer[],
        ${rows.map((row) => row.parentId)}::uuid[],
        ${rows.map((row) => row.lockKey)}::text[]
      ) as row (id, kind, input, priority, max_attempts, when_lost, delay_ms, batch_id, sequence, parent_id, lock_key)
    ),
    new_job as (
      insert into jobs (id, kind, input, priority, max_attempts, when_lost, run_at, batch_id, sequence, parent_id, lock_key, created_at)
      select id, kind, input::jsonb, priority, max_attempts, when_lost, run_at, batch_id, sequence, parent_id, lock_key, ${now} from new_row
      on conflict (lock_key) where lock_key is not null and status in ('pending', 'running') do nothing
      returning id
    )
    ${queued ? enterQueue(rows.some(({ lockKey }) => lockKey !== undefined)) : nothing}
    select (select count(*) from new_job) as inserted, (${notifyInline(hint)}) as hinted`);
  const inserted = answer?.inserted ?? 0;
  if (turns.size === 0) return inserted;
  await db.query(sql`
    insert into batch_turns (kind, batch_id, priority, max_running, turn_at)
    select kind, batch_id, priority, max_running, ${now} + delay_ms * interval '1 ms'
    from json_to_recordset(${JSON.stringify([...turns.values()])})
      as turn (kind text, batch_id uuid, priority smallint, max_running integer, delay_ms double precision)`);
  return inserted;
}

/** What is longer stands in the job's own row only. */
export const longestQueuedInput = 1_000;

/** Those that wait for themselves; one whose lock key is taken was not written, and must not wait. */
function enterQueue(locking: boolean): Sql {
  return sql`,
    queued as (
      insert into queue (kind, priority, run_at, job_id, max_attempts, parent_id, input)
      select kind, priority, run_at, id, max_attempts, parent_id,
        case when octet_length(input) <= ${longestQueuedInput}::integer then input::jsonb end
      from new_row where batch_id is null ${locking ? sql`and id in (select id from new_job)` : nothing}
    )`;
}
