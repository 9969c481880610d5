/** Jobs that someone who watches has not seen as they are now, newest first: named ones, new ones, running ones. */
import type { Queryable } from "../../db/database.ts";
import { nothing, sql } from "../../db/sql.ts";
import { type JobRecord, jobColumns } from "./job-columns.ts";

export interface ChangedJobs {
  /** Jobs that changed; what is none matches none. */
  ids: readonly string[];
  /** Jobs with this id or a later one are new … */
  since: string;
  /** … unless they are known. */
  known: readonly string[];
  /** All that run, besides. */
  running: boolean;
}

/** Each part is read from an index of its own, and none further than the limit. */
export function listChangedJobs(
  db: Queryable,
  { ids, since, known, running }: ChangedJobs,
  limit: number,
): Promise<JobRecord[]> {
  const alsoRunning = sql`union (select id from jobs where status = 'running' limit ${limit})`;
  return db.query<JobRecord>(sql`
    with listed as (
      (select id from jobs where id = any (${ids}::uuid[]))
      union (
        select id from jobs where id >= ${since} and id <> all (${known}::uuid[]) order by id desc limit ${limit})
      ${running ? alsoRunning : nothing}
    )
    select ${jobColumns}
    from listed join jobs j on j.id = listed.id left join workers w on w.id = j.worker_id
    order by j.id desc limit ${limit}`);
}
