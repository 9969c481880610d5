/** Ended jobs say how they ended, and every failed attempt is in the error log. */
import { sql } from "../../db/sql.ts";
import { type Check, find } from "./evidence.ts";

export const checkEndings: Check = async ({ db, misbehaved }) => [
  {
    promise: "terminal invariants hold",
    violations: await find(
      db,
      sql`select format('job %s (%s): completed_at %s, error %s %s, worker %s, limit %s', id, status, coalesce(completed_at::text, 'null'),
          coalesce(error_code, 'null'), coalesce(error_message, 'null'), coalesce(worker_id::text, 'null'), coalesce(limit_name, 'null')) as what
        from jobs where status in ('completed', 'failed', 'cancelled') and (
          completed_at is null or worker_id is not null or limit_name is not null
          or (status = 'failed') <> (error_code is not null) or (status = 'failed') <> (error_message is not null)
          or error_message in ('', 'Unknown error'))`,
    ),
  },
  {
    promise: "progress is absolute and adds up",
    violations: await find(
      db,
      sql`select format('job %s (%s): %s completed + %s failed of %s, %s items done', j.id, j.kind, completed_items, failed_items, total_items, done) as what
        from (select j.*, (select count(*) from job_items i where i.job_id = j.id and i.done) as done from jobs j) j
        where completed_items + failed_items > total_items or (kind = 'crash.pages' and completed_items <> done)
          or (kind = 'crash.pages' and status = 'completed' and total_items <> completed_items + failed_items)`,
    ),
  },
  {
    promise: "every failed attempt is in the error log, and nothing else is",
    violations: await find(
      db,
      sql`with told as (
          select distinct stream_id as job_id, (data ->> 'lease')::integer as lease from events
          where type in ('job_retrying', 'job_failed', 'job_lost') and stream_id in (select id from jobs))
        select case when e.job_id is null then format('job %s failed under lease %s; the error log does not have it', job_id, lease)
          else format('the error log has %s for job %s under lease %s; its stream does not', e.code, job_id, lease) end as what
        from told t full join job_errors e using (job_id, lease) where t.job_id is null or e.job_id is null`,
    ),
  },
  { promise: "workers survive everything but kill -9, and stop when asked", violations: [...misbehaved] },
];
