/** The numbers of `/api/stats`, each from the index that knows it. Completed jobs are counted, which takes its time. */
import type { JobState } from "../../contract/states.ts";
import type { Clock } from "../../db/clock.ts";
import type { Queryable } from "../../db/database.ts";
import { sql } from "../../db/sql.ts";

export interface KindCount {
  kind: string;
  status: JobState;
  jobs: number;
}

/** One count a state, because each has an index of its own that holds nothing else. */
export function countJobs(db: Queryable): Promise<KindCount[]> {
  return db.query<KindCount>(sql`
    select kind, 'pending' as status, count(*) as jobs from jobs where status = 'pending' group by kind
    union all select kind, 'running', count(*) from jobs where status = 'running' group by kind
    union all select kind, 'completed', count(*) from jobs where status = 'completed' group by kind
    union all select kind, 'failed', count(*) from jobs where status = 'failed' group by kind
    union all select kind, 'cancelled', count(*) from jobs where status = 'cancelled' group by kind`);
}

export async function countBatches(db: Queryable): Promise<{ active: number; ended: number }> {
  const [row] = await db.query<{ active: number; ended: number }>(sql`
    select count(*) filter (where status in ('pending', 'running')) as active,
      count(*) filter (where status not in ('pending', 'running')) as ended
    from batches`);
  return row as { active: number; ended: number };
}

export interface LiveWorker {
  kinds: string[];
  slots: number;
  durations: Record<string, { jobs: number; meanMs: number }>;
}

export function listLiveWorkers(db: Queryable, clock: Clock): Promise<LiveWorker[]> {
  return db.query<LiveWorker>(sql`
    select kinds, slots, durations from workers
    where lost_at is null and not stopping and lease_expires_at > ${clock.now()}`);
}
