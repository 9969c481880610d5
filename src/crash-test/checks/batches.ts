/** Batches count their jobs exactly and finish exactly once for each time they were opened. */
import { sql } from "../../db/sql.ts";
import { type Check, find } from "./evidence.ts";

const ended = sql`('completed', 'partial', 'failed', 'cancelled')`;

export const checkBatches: Check = async ({ db }) => [
  {
    promise: "batch counters equal the rows",
    violations: await find(
      db,
      sql`select format('batch %s counts %s completed, %s failed, %s cancelled of %s; its jobs are %s, %s, %s of %s', b.id,
          completed_jobs, failed_jobs, cancelled_jobs, total_jobs, completed, failed, cancelled, total) as what
        from batches b join (
          select batch_id, count(*) as total, count(*) filter (where status = 'completed') as completed,
            count(*) filter (where status = 'failed') as failed, count(*) filter (where status = 'cancelled') as cancelled
          from jobs where batch_id is not null group by batch_id) j on j.batch_id = b.id
        where (completed_jobs, failed_jobs, cancelled_jobs, total_jobs) <> (completed, failed, cancelled, total)`,
    ),
  },
  {
    promise: "a batch's end fits its counters",
    violations: await find(
      db,
      sql`select format('batch %s is %s with %s completed, %s failed, %s cancelled of %s, completed_at %s', id, status,
          completed_jobs, failed_jobs, cancelled_jobs, total_jobs, coalesce(completed_at::text, 'null')) as what
        from batches
        where completed_at is null or not case status
          when 'completed' then completed_jobs = total_jobs
          when 'partial' then completed_jobs < total_jobs and completed_jobs + failed_jobs + cancelled_jobs = total_jobs
          when 'failed' then completed_jobs = 0 and failed_jobs > 0
          when 'cancelled' then cancelled_jobs > 0
          else false end`,
    ),
  },
  {
    promise: "a batch finishes only when no job of it is active, and once for each opening",
    violations: await find(
      db,
      sql`select format('batch %s became %s (from %s) at %s with %s jobs active', batch_id, became, was, at, active) as what
        from crash.batch_history where became in ${ended} and active > 0
        union all
        select format('batch %s went from %s to %s at %s', batch_id, was, became, at) from crash.batch_history
        where was in ${ended} and became not in ('pending', 'running')
        union all
        select format('batch %s ended %s times; its stream has %s ends', b.id, ends, told)
        from (select b.id,
            (select count(*) from crash.batch_history h where h.batch_id = b.id and h.became in ${ended}) as ends,
            (select count(*) from events e where e.stream_id = b.id and e.type in ('batch_completed', 'batch_cancelled')) as told
          from batches b) b
        where ends <> told`,
    ),
  },
  {
    promise: "what follows a batch's end is created once for each end",
    violations: await find(
      db,
      sql`select format('batch %s ended %s times; %s summaries were created', b.id, ends, summaries) as what
        from (select b.id,
            (select count(*) from crash.batch_history h where h.batch_id = b.id and h.became in ${ended}) as ends,
            (select count(*) from jobs j where j.kind = 'crash.summary' and j.input ->> 'key' = b.id::text) as summaries
          from batches b) b
        where ends <> summaries`,
    ),
  },
];
