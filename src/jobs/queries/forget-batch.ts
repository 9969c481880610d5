/**
 * Removes a batch that has ended, with its jobs and everything the engine keeps of them: checkpoints, errors, events, what
 * its idempotency key led to. The answers in the ledger stay: they are anyone's.
 */
import type { Database } from "../../db/database.ts";
import { sql } from "../../db/sql.ts";

/** False if there is no such batch, or it has not ended. */
export function forgetBatch(db: Database, batchId: string): Promise<boolean> {
  return db.transaction(async (tx) => {
    // Jobs before batches, as everywhere: who starts one of them again waits, and then finds nothing.
    const jobs = await tx.query<{ id: string; status: string }>(
      sql`select id, status from jobs where batch_id = ${batchId} order by id for update`,
    );
    if (jobs.some(({ status }) => status === "pending" || status === "running")) return false;
    const ids = jobs.map(({ id }) => id);
    await tx.query(sql`
      with stages as (delete from job_stages where job_id = any (${ids}::uuid[])),
      items as (delete from job_items where job_id = any (${ids}::uuid[])),
      errors as (delete from job_errors where job_id = any (${ids}::uuid[])),
      uses as (delete from ledger_uses where job_id = any (${ids}::uuid[])),
      keys as (delete from idempotency_keys where batch_id = ${batchId})
      delete from events where stream_id = any (${[...ids, batchId]}::uuid[])`);
    await tx.query(sql`delete from jobs where batch_id = ${batchId}`);
    const gone = await tx.query(sql`delete from batches where id = ${batchId} returning id`);
    return gone.length > 0;
  });
}
