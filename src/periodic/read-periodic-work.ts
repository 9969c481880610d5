/** What became of periodic work lately, for people who look. */
import type { Clock } from "../db/clock.ts";
import type { Queryable } from "../db/database.ts";
import { sql } from "../db/sql.ts";

export interface TaskState {
  name: string;
  /** Who is at it; null if nobody is, or nobody whose right still counts. */
  holder: string | null;
  /** How long it has been due without anyone taking it; 0 if it is not. */
  waitingMs: number;
  /** How long ago the last turn ended; null if there was none. */
  lastMsAgo: number | null;
  lastRemoved: number | null;
  lastError: string | null;
  /** In a row. */
  failures: number;
}

/** Only of these tasks; one that has never been registered is missing. */
export function readPeriodicWork(db: Queryable, tasks: readonly string[], clock: Clock): Promise<TaskState[]> {
  const now = clock.now();
  return db.query<TaskState>(sql`
    select name, case when held_until >= ${now} then holder end as holder,
      case when held_until >= ${now} then 0
        else greatest(0, extract(epoch from ${now} - greatest(due_at, held_until)) * 1000)::float8 end as waiting_ms,
      (extract(epoch from ${now} - last_finished_at) * 1000)::float8 as last_ms_ago, last_removed, last_error, failures
    from periodic_tasks where name = any (${tasks}::text[]) order by name`);
}
