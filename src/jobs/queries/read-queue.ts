/**
 * What stands between a pending job and its start: who serves its kind, what its limits are at, and how many go first.
 * Counts stop at `mostCounted`, so the question costs the same in a queue of millions.
 */
import type { Clock } from "../../db/clock.ts";
import type { Queryable } from "../../db/database.ts";
import { type Sql, sql } from "../../db/sql.ts";

export interface QueuedJob {
  id: string;
  kind: string;
  priority: number;
  batchId: string | null;
  sequence: number | null;
}

export interface QueueFacts {
  now: Date;
  due: boolean;
  /** Live workers that serve the kind, their slots, and how many of those are taken by jobs of any kind. */
  workers: number;
  slots: number;
  busySlots: number;
  meanRunMs: number | null;
  limitMax: number | null;
  limitRunning: number | null;
  batchMax: number | null;
  batchRunning: number | null;
  /** Jobs before it in its own lane: those of its batch, or those without one of its kind and priority. */
  aheadInLane: number;
  /** Jobs of other lanes that have their turn before it. */
  aheadElsewhere: number;
}

export const mostCounted = 10_000;
const mostBatches = 1_000;

export async function readQueue(
  db: Queryable,
  job: QueuedJob,
  limitName: string | null,
  clock: Clock,
): Promise<QueueFacts> {
  const now = clock.now();
  const { lane, elsewhere } = job.batchId === null ? aheadOfSingle(job, now) : aheadInBatch(job, now);
  const [facts] = await db.query<QueueFacts>(sql`
    with recursive serving as materialized (
      select w.id, w.slots, w.durations -> ${job.kind} as measured from workers w
      where ${job.kind} = any (w.kinds) and w.lost_at is null and not w.stopping and w.lease_expires_at > ${now}
    ),
    higher as (
      -- From one priority to the next, so that jobs of a higher one that are not due yet are never read.
      (select max(q.priority) as priority from queue q where q.kind = ${job.kind} and q.priority > ${job.priority})
      union all
      select (select max(q.priority) from queue q
        where q.kind = ${job.kind} and q.priority > ${job.priority} and q.priority < higher.priority)
      from higher where higher.priority is not null
    ),
    higher_single as (
      select least(coalesce(sum(due.jobs), 0), ${mostCounted})::integer as jobs from higher cross join lateral (
        select sum(q.jobs) as jobs from (
          select q.jobs from queue q where q.kind = ${job.kind} and q.priority = higher.priority and q.run_at <= ${now}
          limit ${mostCounted}) q) due
    ),
    lane as materialized (select least(coalesce(sum(jobs), 0), ${mostCounted})::integer as jobs from (${lane} limit ${mostCounted}) j),
    other_batch as materialized (
      -- What is left of a batch is known without counting its jobs.
      select t.priority, greatest(0, b.total_jobs - b.completed_jobs - b.failed_jobs - b.cancelled_jobs - t.running) as waiting
      from batch_turns t join batches b on b.id = t.batch_id
      where t.kind = ${job.kind} and t.turn_at <= ${now} and t.running < t.max_running and t.priority >= ${job.priority}
        and t.batch_id is distinct from ${job.batchId}
      limit ${mostBatches}
    )
    select ${now} as now, coalesce((select run_at <= ${now} from jobs where id = ${job.id}), true) as due,
      (select count(*)::integer from serving) as workers,
      (select coalesce(sum(slots), 0)::integer from serving) as slots,
      (select count(*)::integer from jobs r where r.status = 'running' and r.worker_id in (select id from serving)) as busy_slots,
      (select sum((measured ->> 'meanMs')::float8 * (measured ->> 'jobs')::float8) / nullif(sum((measured ->> 'jobs')::float8), 0)
       from serving) as mean_run_ms,
      (select max_running from job_limits where name = ${limitName}::text) as limit_max,
      (select running from job_limits where name = ${limitName}::text) as limit_running,
      (select max_running from batch_turns where batch_id = ${job.batchId} and kind = ${job.kind}) as batch_max,
      (select running from batch_turns where batch_id = ${job.batchId} and kind = ${job.kind}) as batch_running,
      (select jobs from lane) as ahead_in_lane,
      coalesce((select jobs from higher_single), 0)
        + (${elsewhere})
        -- Lanes of one priority take turns: each has had as many before this job as its own lane has.
        + (select coalesce(sum(case when o.priority > ${job.priority} then o.waiting else least(o.waiting, lane.jobs) end), 0)::integer
           from other_batch o, lane) as ahead_elsewhere`);
  return facts as QueueFacts;
}

function aheadOfSingle({ id, kind, priority }: QueuedJob, now: Sql): { lane: Sql; elsewhere: Sql } {
  return {
    lane: sql`
      select case when (q.run_at, q.last_id) < (me.run_at, me.id) then q.jobs
          else (select count(*) from unnest(q.job_ids) as u (id) where u.id < me.id) end as jobs
      from jobs me join queue q on (q.run_at, q.first_id) < (me.run_at, me.id)
      where me.id = ${id} and q.kind = ${kind} and q.priority = ${priority} and q.run_at <= ${now}`,
    elsewhere: sql`0`,
  };
}

function aheadInBatch({ kind, priority, batchId, id }: QueuedJob, now: Sql): { lane: Sql; elsewhere: Sql } {
  return {
    lane: sql`
      select 1 as jobs from jobs j where j.status = 'pending' and j.batch_id = ${batchId} and j.kind = ${kind}
        and j.run_at <= ${now} and (j.run_at, j.sequence) < (select me.run_at, me.sequence from jobs me where me.id = ${id})`,
    elsewhere: sql`
      select least(coalesce(sum(q.jobs), 0), (select jobs from lane))::integer from (
        select q.jobs from queue q where q.kind = ${kind} and q.priority = ${priority} and q.run_at <= ${now}
        limit (select jobs from lane)) q`,
  };
}
