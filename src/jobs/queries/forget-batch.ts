/** Removes a batch that has ended, with its jobs and everything the engine keeps of them. */
import type { Database } from "../../db/database.ts";
import { nothing, sql } from "../../db/sql.ts";
import { forgettingJobs } from "./forget-jobs.ts";

/** False if there is no such batch, it has not ended, or not before the given time. */
export function forgetBatch(db: Database, batchId: string, endedBefore?: Date): Promise<boolean> {
  return db.transaction(async (tx) => {
    // Jobs before batches, as everywhere: who starts one of them again waits, and then finds nothing.
    const jobs = await tx.query<{ id: string; status: string }>(
      sql`select id, status from jobs where batch_id = ${batchId} order by id for update`,
    );
    if (jobs.some(({ status }) => status === "pending" || status === "running")) return false;
    const longAgo = endedBefore === undefined ? nothing : sql`and completed_at < ${endedBefore}`;
    const [batch] = await tx.query(sql`select from batches where id = ${batchId} ${longAgo} for update`);
    if (!batch) return false;
    const ids = sql`select unnest(${jobs.map(({ id }) => id)}::uuid[])`;
    await tx.query(sql`
      with ${forgettingJobs(ids)},
      gone_key as (delete from idempotency_keys where batch_id = ${batchId})
      delete from event_rows where stream_id = ${batchId}`);
    await tx.query(sql`delete from batches where id = ${batchId}`);
    return true;
  });
}
