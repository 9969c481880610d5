/** What a worker has by the tables: jobs that run, and jobs in its holds that nothing was written for yet. */
import type { JobState } from "../../contract/states.ts";
import type { Queryable } from "../../db/database.ts";
import { type Sql, sql } from "../../db/sql.ts";
import type { LeaseHandle } from "../job-writer.ts";
import type { ClaimedJob } from "./claim-jobs.ts";

/** The jobs that are still reserved by these holds, as `j`; what a hold says of others is out of date. */
export function reservedBy(holds: Sql): Sql {
  return sql`(${holds}) h
    cross join lateral unnest(h.job_ids, h.leases) as entry (job_id, lease)
    join jobs j on j.id = entry.job_id and j.lease = entry.lease and j.status = 'pending'`;
}

/** Those of these jobs that are no longer their holder's, with the state they are in; null where there is none any more. */
export function findTaken(
  db: Queryable,
  jobs: readonly Pick<ClaimedJob, "id" | "lease" | "holdId">[],
): Promise<{ id: string; status: JobState | null }[]> {
  return db.query(sql`
    select mine.id, j.status
    from unnest(${jobs.map(({ id }) => id)}::uuid[], ${jobs.map(({ lease }) => lease)}::integer[],
      ${jobs.map(({ holdId }) => holdId !== null)}::boolean[]) as mine (id, lease, ahead)
    left join lateral (select * from jobs where jobs.id = mine.id limit 1) j on true
    where j.id is null or not (j.status = 'running' and j.lease = mine.lease
      or mine.ahead and j.status = 'pending' and j.lease = mine.lease - 1)`);
}

/** Those that a claim took for this worker without its hearing of it. */
export async function findUnknown(db: Queryable, workerId: string, known: readonly string[]): Promise<LeaseHandle[]> {
  const rows = await db.query<Omit<LeaseHandle, "reservation"> & { ahead: boolean }>(sql`
    select id as job_id, kind, lease, ${workerId}::uuid as worker_id, last_event, batch_id, limit_name, false as ahead from jobs
    where worker_id = ${workerId} and status = 'running' and not id = any (${known}::uuid[])
    union all
    select j.id, j.kind, j.lease + 1, ${workerId}::uuid, j.last_event, null, null, true
    from ${reservedBy(sql`select * from holds where worker_id = ${workerId}`)}
    where not j.id = any (${known}::uuid[])`);
  const hold = { id: "", left: rows.length, onEmpty: () => undefined };
  return rows.map(({ ahead, ...handle }) => ({
    ...handle,
    reservation: ahead ? { hold, startedAt: 0, toldSoon: false } : undefined,
  }));
}

/** Removes the worker's holds that are of no use any more. */
export async function forgetHolds(db: Queryable, workerId: string): Promise<void> {
  await db.query(sql`delete from holds where worker_id = ${workerId} and ${isSpent}`);
}

/** Of a row of `holds`. */
export const isSpent = sql`not exists (select from ${reservedBy(sql`select holds.job_ids, holds.leases`)})`;
