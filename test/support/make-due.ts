/** Moves the time at which a waiting job may start: where it is known, and where it waits. */
import type { Queryable } from "../../src/db/database.ts";
import { sql } from "../../src/db/sql.ts";

export async function makeDue(db: Queryable, jobId: string, minutesAgo = 0): Promise<void> {
  const at = sql`now() - ${minutesAgo} * interval '1 minute'`;
  await db.query(sql`
    with moved as (update queue set run_at = ${at} where ${jobId} = any (job_ids))
    update jobs set run_at = ${at} where id = ${jobId}`);
}
