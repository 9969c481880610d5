/** All there is to say about one job, in one statement: everything in it is of the same moment. */
import type { JobDetail } from "../../contract/jobs.ts";
import type { Queryable } from "../../db/database.ts";
import { sql } from "../../db/sql.ts";
import { type JobRecord, jobColumns } from "./job-columns.ts";

export interface JobDetailRecord extends JobRecord {
  input: unknown;
  result: unknown;
  detail: unknown;
  /** In the order they were finished in. */
  stages: { name: string; startedAt: string; finishedAt: string }[] | null;
  itemsCompleted: number;
  itemsFailed: number;
  itemErrors: JobDetail["items"]["errors"] | null;
  errorLog: JobDetail["errorLog"] | null;
  paidCalls: number;
  hits: number;
  tokensIn: number;
  tokensOut: number;
  costMicros: number | null;
  workerId: string | null;
  workerHost: string | null;
  workerPid: number | null;
}

const shownErrors = 100;

export async function findJob(db: Queryable, id: string): Promise<JobDetailRecord | undefined> {
  const [row] = await db.query<JobDetailRecord>(sql`
    select ${jobColumns}, j.input, j.result, j.detail, w.id as worker_id, w.host as worker_host, w.pid as worker_pid,
      (select jsonb_agg(jsonb_build_object('name', s.name, 'startedAt', s.started_at, 'finishedAt', s.finished_at)
         order by s.finished_at, s.name)
       from job_stages s where s.job_id = j.id) as stages,
      item.completed as items_completed, item.failed as items_failed,
      (select jsonb_agg(jsonb_build_object('stage', i.stage, 'key', i.key) || i.error order by i.stage, i.key)
       from (select * from job_items i where i.job_id = j.id and not i.done order by i.stage, i.key limit ${shownErrors}) i
      ) as item_errors,
      (select jsonb_agg(jsonb_build_object('attempt', e.attempt, 'code', e.code, 'message', e.message,
         'retryable', e.retryable, 'stage', e.stage, 'workerId', e.worker_id, 'createdAt', e.created_at) order by e.lease)
       from (select * from job_errors e where e.job_id = j.id order by e.lease desc limit ${shownErrors}) e
      ) as error_log,
      spent.*
    from jobs j left join workers w on w.id = j.worker_id
    cross join lateral (
      select (count(*) filter (where i.done))::integer as completed, (count(*) filter (where not i.done))::integer as failed
      from job_items i where i.job_id = j.id) item
    cross join lateral (
      select coalesce(sum(u.paid), 0)::integer as paid_calls, coalesce(sum(u.hits), 0)::integer as hits,
        coalesce(sum(l.tokens_in * u.paid), 0)::bigint as tokens_in,
        coalesce(sum(l.tokens_out * u.paid), 0)::bigint as tokens_out,
        (sum(l.cost_micros * u.paid) filter (where u.paid > 0))::bigint as cost_micros
      from ledger_uses u join ledger l on l.key = u.key where u.job_id = j.id) spent
    where j.id = ${id}`);
  return row;
}
