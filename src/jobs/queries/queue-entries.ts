/**
 * How new jobs get into the queue: those that are alike in all a worker needs to know but their ids and inputs share an
 * entry, and are claimed with one row.
 */
import { rowsOf } from "../../db/rows.ts";
import { type Sql, sql } from "../../db/sql.ts";
import type { JobRow } from "./insert-jobs.ts";

/** Bytes of JSON. What is longer stands in the job's own row only. */
export const longestQueuedInput = 1_000;
/** So many jobs and bytes of their inputs go into one entry: it fits on a page and is not stored elsewhere in parts. */
const mostJobs = 100;
const mostBytes = 4_000;

const columns = {
  kind: "text",
  priority: "smallint",
  delay_ms: "double precision",
  max_attempts: "smallint",
  parent_id: "uuid",
  job_ids: "text",
  inputs: "text",
  only_if_written: "boolean",
} as const;

interface Entry {
  like: JobRow;
  ids: string[];
  /** As JSON; undefined where they are too long. */
  inputs: string[] | undefined;
  bytes: number;
}

/** Follows on `new_job`, which answers the ids that were written where some may not be, because their lock key is taken. */
export function enterQueue(rows: readonly JobRow[], inputs: readonly string[], now: Sql, locking: boolean): Sql {
  const entries = toEntries(rows, inputs).map(({ like, ids, inputs }) => ({
    kind: like.kind,
    priority: like.priority,
    delay_ms: like.delayMs,
    max_attempts: like.maxAttempts,
    parent_id: like.parentId,
    job_ids: `{${ids.join(",")}}`,
    inputs: inputs && `[${inputs.join(",")}]`,
    only_if_written: like.lockKey !== undefined,
  }));
  return sql`,
    queued as (
      insert into queue (kind, priority, run_at, first_id, last_id, jobs, max_attempts, parent_id, job_ids, inputs)
      select e.kind, e.priority, ${now} + e.delay_ms * interval '1 ms', ids[1], ids[cardinality(ids)], cardinality(ids), e.max_attempts,
        e.parent_id, ids, e.inputs::jsonb
      from (${rowsOf(columns, entries)}) e cross join lateral (select e.job_ids::uuid[] as ids) i
      ${locking ? sql`where not e.only_if_written or ids[1] in (select id from new_job)` : sql``}
    )`;
}

/** The ids in each ascend, as they were made. One with a lock key of its own is alone: it may turn out not to be written. */
function toEntries(rows: readonly JobRow[], inputs: readonly string[]): Entry[] {
  const entries: Entry[] = [];
  const open = new Map<string, Entry>();
  rows.forEach((row, place) => {
    if (row.batchId !== undefined) return;
    const input = inputs[place] as string;
    const length = Buffer.byteLength(input);
    const short = length <= longestQueuedInput;
    const likeness = `${row.kind} ${row.priority} ${row.delayMs} ${row.maxAttempts} ${row.parentId} ${short}`;
    const entry = open.get(likeness);
    const bytes = short ? length : 0;
    if (entry && row.lockKey === undefined && entry.ids.length < mostJobs && entry.bytes + bytes <= mostBytes) {
      entry.ids.push(row.id);
      entry.inputs?.push(input);
      entry.bytes += bytes;
      return;
    }
    const made = { like: row, ids: [row.id], inputs: short ? [input] : undefined, bytes };
    entries.push(made);
    if (row.lockKey === undefined) open.set(likeness, made);
  });
  return entries;
}
