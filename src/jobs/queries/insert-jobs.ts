/** Writes new jobs, many at a time, and gives the batches among them their place in the queue. */
import type { Clock } from "../../db/clock.ts";
import type { Queryable } from "../../db/database.ts";
import { notifyInline } from "../../db/hints.ts";
import { rowsOf } from "../../db/rows.ts";
import { nothing, sql } from "../../db/sql.ts";
import { enterQueue } from "./queue-entries.ts";

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
  const locking = rows.some(({ lockKey }) => lockKey !== undefined);
  const inputs = rows.map(({ input }) => JSON.stringify(input));
  const [answer] = await db.query<{ inserted: number }>(sql`
    with new_row as materialized (
      select id, kind, input::jsonb as input, priority, max_attempts, when_lost, ${now} + delay_ms * interval '1 ms' as run_at, batch_id, sequence, parent_id, lock_key
      from (${rowsOf(
        columns,
        rows.map((row, place) => toColumns(row, inputs[place] as string)),
      )}) r
    ),
    new_job as (
      insert into jobs (id, kind, input, priority, max_attempts, when_lost, run_at, batch_id, sequence, parent_id, lock_key, created_at)
      select id, kind, input, priority, max_attempts, when_lost, run_at, batch_id, sequence, parent_id, lock_key, ${now} from new_row
      ${locking ? unlessLocked : nothing}
    )
    ${queued ? enterQueue(rows, inputs, now, locking) : nothing}
    select ${locking ? sql`(select count(*) from new_job)` : sql`${rows.length}::integer`} as inserted, (${notifyInline(hint)}) as hinted`);
  const inserted = answer?.inserted ?? 0;
  if (turns.size === 0) return inserted;
  await db.query(sql`
    insert into batch_turns (kind, batch_id, priority, max_running, turn_at)
    select kind, batch_id, priority, max_running, ${now} + delay_ms * interval '1 ms'
    from json_to_recordset(${JSON.stringify([...turns.values()])})
      as turn (kind text, batch_id uuid, priority smallint, max_running integer, delay_ms double precision)`);
  return inserted;
}

const columns = {
  id: "uuid",
  kind: "text",
  input: "text",
  priority: "smallint",
  max_attempts: "smallint",
  when_lost: "text",
  delay_ms: "double precision",
  batch_id: "uuid",
  sequence: "integer",
  parent_id: "uuid",
  lock_key: "text",
} as const;

function toColumns(row: JobRow, input: string): { [K in keyof typeof columns]: unknown } {
  return {
    id: row.id,
    kind: row.kind,
    input,
    priority: row.priority,
    max_attempts: row.maxAttempts,
    when_lost: row.whenLost,
    delay_ms: row.delayMs,
    batch_id: row.batchId,
    sequence: row.sequence,
    parent_id: row.parentId,
    lock_key: row.lockKey,
  };
}

/** Left out where no job has a lock key: PostgreSQL would look for the holder of each row all the same. */
const unlessLocked = sql`on conflict (lock_key) where lock_key is not null and status in ('pending', 'running') do nothing
      returning id`;
