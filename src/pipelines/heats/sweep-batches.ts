/**
 * Removes what has had its time: batches that have expired, with their jobs, events, results and files; sheets and
 * extractions nobody has asked for as long; and files that belong to no batch. Any number of processes may do so at once.
 */
import { type Database, type Engine, sql } from "../../jobs/index.ts";
import type { BlobStore } from "../../storage/blob-store.ts";
import { sweepOrphans } from "../../storage/sweep-orphans.ts";
import { batchesPrefix, batchPrefix } from "./blob-keys.ts";
import type { HeatServices } from "./heat-services.ts";

const portion = 100;

type SweepServices = Pick<HeatServices, "db" | "blobs" | "limits">;

/** Answers how many batches and files were removed. */
export async function sweepBatches(
  engine: Pick<Engine, "cancelBatch" | "forgetBatch">,
  { db, blobs, limits }: SweepServices,
  signal: AbortSignal,
  now?: number,
): Promise<number> {
  const expired = await removeExpired(engine, db, blobs, signal);
  await removeUnused(db, limits.keepMs, signal);
  return expired + (await sweepBatchFiles({ db, blobs }, signal, now));
}

/** Answers how many batches have expired. */
export async function countExpiredBatches(db: Database): Promise<number> {
  const [row] = await db.query<{ batches: number }>(
    sql`select count(*) as batches from heat_batches where expires_at <= now()`,
  );
  return row?.batches ?? 0;
}

/** Removes files that belong to no batch; answers how many. */
export function sweepBatchFiles(
  { db, blobs }: { db: Database; blobs: Pick<BlobStore, "list" | "delete"> },
  signal: AbortSignal,
  now?: number,
): Promise<number> {
  const findOrphans = async (keys: readonly string[]) => {
    const rows = await db.query<{ blobKey: string }>(
      sql`select blob_key from heat_sources where blob_key = any (${keys}::text[])`,
    );
    const known = new Set(rows.map(({ blobKey }) => blobKey));
    return keys.filter((key) => !known.has(key));
  };
  return sweepOrphans({ blobs, prefix: batchesPrefix, findOrphans, signal, now });
}

async function removeExpired(
  engine: Pick<Engine, "cancelBatch" | "forgetBatch">,
  db: Database,
  blobs: BlobStore,
  signal: AbortSignal,
): Promise<number> {
  let removed = 0;
  // A portion of which nothing could be removed is left for the next sweep.
  for (let before = -1; before < removed && !signal.aborted; ) {
    before = removed;
    const rows = await db.query<{ batchId: string }>(
      sql`select batch_id from heat_batches where expires_at <= now() order by expires_at limit ${portion}`,
    );
    for (const { batchId } of rows) {
      if (signal.aborted) return removed;
      // Who still works on it is stopped, and what it writes afterwards is fenced off.
      await engine.cancelBatch(batchId).catch(ignoreGone);
      // Somebody may have tried a sheet again meanwhile: it still needs its file, and the next sweep ends it.
      if (!(await engine.forgetBatch(batchId))) continue;
      removed++;
      const keys: string[] = [];
      for await (const { key } of blobs.list(batchPrefix(batchId))) keys.push(key);
      await blobs.delete(keys);
    }
    if (rows.length < portion) return removed;
  }
  return removed;
}

/** Another process may have removed it first. */
function ignoreGone(error: unknown): void {
  if ((error as { code?: unknown }).code !== "NOT_FOUND") throw error;
}

async function removeUnused(db: Database, keepMs: number, signal: AbortSignal): Promise<void> {
  const age = `${keepMs} ms`;
  for (const statement of [
    sql`delete from heat_extractions where ctid = any (array(
      select ctid from heat_extractions where last_used_at < now() - ${age}::interval limit ${portion}))
      returning 1 as gone`,
    sql`delete from heat_sheets where ctid = any (array(
      select ctid from heat_sheets where last_used_at < now() - ${age}::interval limit ${portion}))
      returning 1 as gone`,
  ]) {
    for (let gone = portion; gone === portion && !signal.aborted; ) gone = (await db.query(statement)).length;
  }
}
