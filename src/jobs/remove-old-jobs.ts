/**
 * Retention: removes jobs that ended long ago, and batches with all their jobs, a portion at a time. What has not ended
 * stays, and so does what its pipeline still needs.
 *
 * Ids carry the time they were made, so a pass goes through the primary key from the oldest job to the first that is too
 * young: a portion costs its rows, whatever else the table holds. Measured on 200,000 jobs with 900,000 events and stages:
 * 3 ms for a portion of which all are still needed, 8 ms where half of them go, 3 ms for a pass that finds nothing old.
 */
import type { Clock } from "../db/clock.ts";
import type { Database } from "../db/database.ts";
import { inPortions } from "../db/in-portions.ts";
import { nothing, type Sql, sql } from "../db/sql.ts";
import { firstIdAt } from "./new-id.ts";
import { forgetBatch } from "./queries/forget-batch.ts";
import { forgettingJobs } from "./queries/forget-jobs.ts";
import type { Registry } from "./registry.ts";
import { stillNeeded } from "./still-needed.ts";

export interface RetentionSource {
  db: Database;
  clock: Clock;
  registry: Registry;
}

export interface RetentionOptions {
  /** For how long a job is kept after its end. */
  keepMs: number;
  signal: AbortSignal;
  /** Changes nothing, and counts. */
  dryRun?: boolean;
  portion?: number;
}

const defaultPortion = 500;
const firstId = "00000000-0000-0000-0000-000000000000";
const hasEnded = sql`in ('completed', 'failed', 'cancelled')`;

/** Answers how many jobs were removed, those of batches included. */
export async function removeOldJobs(source: RetentionSource, options: RetentionOptions): Promise<number> {
  const endedBefore = await readTimeAgo(source, options.keepMs);
  const single = await removeSingleJobs(source, endedBefore, options);
  return single + (await removeBatches(source, endedBefore, options));
}

/** By the database's clock. */
export async function readTimeAgo({ db, clock }: Pick<RetentionSource, "db" | "clock">, ms: number): Promise<Date> {
  const [row] = await db.query<{ time: Date }>(sql`select ${clock.now()} - ${ms} * interval '1 ms' as time`);
  return (row as { time: Date }).time;
}

function removeSingleJobs(source: RetentionSource, endedBefore: Date, options: RetentionOptions): Promise<number> {
  const { db, clock, registry } = source;
  const { signal, dryRun = false, portion = defaultPortion } = options;
  const isDue = sql`j.batch_id is null and j.status ${hasEnded} and j.completed_at < ${endedBefore}
    and not ${stillNeeded(registry)}`;
  let after = firstId;
  return inPortions({ clock, signal }, async () => {
    // One that is locked is just being started again, or removed by someone else.
    const [result] = await db.query<{ done: number; last: string | null }>(sql`
      with portion as materialized (
        select id from jobs where id > ${after} and id < ${firstIdAt(endedBefore.getTime())} order by id limit ${portion}),
      due as materialized (
        select j.id from jobs j where j.id in (select id from portion) and ${isDue}
        order by j.id ${dryRun ? nothing : sql`for update of j skip locked`})
      ${dryRun ? nothing : sql`, ${forgettingJobs(sql`select id from due`)}`}
      select (select count(*) from ${dryRun ? sql`due` : sql`gone_jobs`}) as done,
        (select id from portion order by id offset ${portion - 1}) as last`);
    const { done, last } = result as { done: number; last: string | null };
    after = last ?? after;
    return { done, more: last !== null };
  });
}

interface OldBatch {
  id: string;
  isDue: boolean;
}

async function removeBatches(source: RetentionSource, endedBefore: Date, options: RetentionOptions): Promise<number> {
  const { db, clock, registry } = source;
  const { signal, dryRun = false, portion = defaultPortion } = options;
  let after = firstId;
  return inPortions({ clock, signal }, async () => {
    const batches = await db.query<OldBatch>(sql`
      select b.id, b.status not in ('pending', 'running') and b.completed_at < ${endedBefore}
        and not exists (select from jobs j where j.batch_id = b.id and ${stillNeeded(registry)}) as is_due
      from batches b where b.id > ${after} and b.id < ${firstIdAt(endedBefore.getTime())} order by b.id limit ${portion}`);
    let done = 0;
    for (const { id } of batches.filter(({ isDue }) => isDue)) {
      if (signal.aborted) break;
      done += dryRun ? await countJobs(db, id) : await removeBatch(source, id, endedBefore, signal, portion);
    }
    after = batches.at(-1)?.id ?? after;
    return { done, more: batches.length === portion };
  });
}

async function countJobs(db: Database, batchId: string): Promise<number> {
  const [row] = await db.query<{ jobs: number }>(sql`select count(*) as jobs from jobs where batch_id = ${batchId}`);
  return row?.jobs ?? 0;
}

/** A large batch goes in portions, itself with the last of them. Whoever starts it again meanwhile keeps what is left. */
async function removeBatch(
  { db, clock }: RetentionSource,
  batchId: string,
  endedBefore: Date,
  signal: AbortSignal,
  portion: number,
): Promise<number> {
  const isDue: Sql = sql`batch_id = ${batchId} and status ${hasEnded}
    and exists (select from batches b where b.id = ${batchId} and b.completed_at < ${endedBefore})`;
  const removed = await inPortions({ clock, signal }, async () => {
    const [result] = await db.query<{ done: number }>(sql`
      with due as materialized (
        select id from jobs where ${isDue} and (
          select count(*) from (select from jobs where batch_id = ${batchId} limit ${portion + 1}) left_over) > ${portion}
        order by id limit ${portion} for update skip locked),
      ${forgettingJobs(sql`select id from due`)}
      select count(*) as done from gone_jobs`);
    const done = result?.done ?? 0;
    return { done, more: done === portion };
  });
  if (signal.aborted) return removed;
  const left = await countJobs(db, batchId);
  return removed + ((await forgetBatch(db, batchId, endedBefore)) ? left : 0);
}
