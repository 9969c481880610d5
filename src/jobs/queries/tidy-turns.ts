/**
 * Takes batches that have nothing to start out of the queue, or puts them off until their next job is due. The rows are
 * locked first and the jobs looked at afterwards, in a statement of its own: whoever hands a job back must wait for the
 * lock, and moves the turn again after us.
 */
import type { Clock } from "../../db/clock.ts";
import type { Database } from "../../db/database.ts";
import { sql } from "../../db/sql.ts";

const atOnce = 500;

export async function tidyTurns(db: Database, clock: Clock): Promise<void> {
  await db.transaction(async (tx) => {
    const turns = await tx.query<{ batchId: string; kind: string }>(sql`
      select batch_id, kind from batch_turns where looked_empty order by batch_id, kind limit ${atOnce} for no key update skip locked`);
    if (turns.length === 0) return;
    await tx.query(sql`
      update batch_turns t set looked_empty = false, turn_at = (
        select greatest(j.run_at, ${clock.now()}) from jobs j
        where j.status = 'pending' and j.batch_id = t.batch_id and j.kind = t.kind
        order by j.run_at, j.sequence limit 1)
      from unnest(${turns.map(({ batchId }) => batchId)}::uuid[], ${turns.map(({ kind }) => kind)}::text[]) as looked (batch_id, kind)
      where t.batch_id = looked.batch_id and t.kind = looked.kind`);
  });
}
