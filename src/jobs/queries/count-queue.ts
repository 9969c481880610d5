/** How much waits and runs, by kind, and since when. Jobs that have ended, however many, are not read. */
import type { Clock } from "../../db/clock.ts";
import type { Queryable } from "../../db/database.ts";
import { sql } from "../../db/sql.ts";

export interface QueuedKind {
  kind: string;
  pending: number;
  running: number;
  /** Of the job that has been due for longest and was not started; 0 where none is due. */
  oldestWaitMs: number;
}

/** One look at each index that holds nothing else. */
export function countQueue(db: Queryable, clock: Clock): Promise<QueuedKind[]> {
  const now = clock.now();
  return db.query<QueuedKind>(sql`
    with counted as (
      select kind, count(*) as pending, 0 as running, null::timestamptz as oldest from jobs where status = 'pending' group by kind
      union all
      select kind, 0, 0, min(run_at) filter (where run_at <= ${now}) from queue where jobs > 0 group by kind
      union all
      select kind, 0, 0, min(run_at) filter (where run_at <= ${now})
      from jobs where status = 'pending' and batch_id is not null group by kind
      union all
      select kind, 0, count(*), null from jobs where status = 'running' group by kind)
    select kind, sum(pending)::float8 as pending, sum(running)::float8 as running,
      greatest(0, coalesce(extract(epoch from ${now} - min(oldest)), 0))::float8 * 1000 as oldest_wait_ms
    from counted group by kind`);
}
