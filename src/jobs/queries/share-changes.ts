/**
 * The part of write-jobs that concerns others than the job itself: the limits and turns its end frees, the counters of
 * its batch, the batch's end, and the batch's stream. Left out of the statement when no job in it needs it, because
 * planning it takes longer than running it.
 */
import { type Sql, sql } from "../../db/sql.ts";

export interface SharedParts {
  /** CTEs that follow on `held` and `event`. */
  changes: Sql;
  /** What the final select needs to tell that a batch has ended. */
  join: Sql;
  batchEnded: Sql;
}

export function shareChanges(now: Sql): SharedParts {
  return {
    changes: sql`,
    locked_limit as materialized (
      select l.name, f.freed
      from (select limit_name, count(*)::integer as freed from held
            where limit_name is not null and was = 'running' and to_state is not null group by limit_name) f
      join job_limits l on l.name = f.limit_name
      order by l.name
      for no key update of l
    ),
    limits as (
      update job_limits l set running = l.running - f.freed from locked_limit f where l.name = f.name
    ),
    locked_turn as materialized (
      select t.batch_id, t.kind, f.freed, f.next_run_at
      from (select batch_id, kind, count(*) filter (where was = 'running')::integer as freed, min(run_at) filter (where to_state = 'pending') as next_run_at
            from held where batch_id is not null and to_state is not null group by batch_id, kind) f
      join batch_turns t using (batch_id, kind)
      where (select count(*) from locked_limit) >= 0 -- limits before turns
      order by t.batch_id, t.kind
      for no key update of t
    ),
    turns as (
      update batch_turns t set running = t.running - f.freed, turn_at = least(t.turn_at, f.next_run_at),
        looked_empty = t.looked_empty and f.next_run_at is null
      from locked_turn f where t.batch_id = f.batch_id and t.kind = f.kind
    ),
    batch_change as (
      select h.batch_id,
        sum((h.to_state = 'completed')::integer)::integer as completed,
        sum((h.to_state = 'failed')::integer - (h.was = 'failed')::integer)::integer as failed,
        sum((h.to_state = 'cancelled')::integer - (h.was = 'cancelled')::integer)::integer as cancelled,
        count(*) filter (where h.to_state in ('completed', 'failed', 'cancelled') or h.was in ('failed', 'cancelled'))::integer as ended_or_reopened,
        bool_or(h.was in ('failed', 'cancelled')) as reopened,
        max(h.batch_event) as batch_event
      from held h where h.batch_id is not null and h.to_state is not null group by h.batch_id
    ),
    batch_event as materialized (
      select batch_id, row_number() over (partition by batch_id order by job_id, place)::integer as place, type,
        jsonb_build_object('jobId', job_id, 'sequence', sequence) || data as data
      from event where to_batch and batch_id is not null
    ),
    locked_batch as materialized (
      select b.id, b.last_event, b.status as was, b.total_jobs, b.started_at,
        b.completed_jobs + coalesce(c.completed, 0) as completed_jobs,
        b.failed_jobs + coalesce(c.failed, 0) as failed_jobs,
        b.cancelled_jobs + coalesce(c.cancelled, 0) as cancelled_jobs,
        coalesce(c.reopened, false) as reopened, c.batch_event, coalesce(c.ended_or_reopened, 0) as touched,
        (select count(*) from batch_event e where e.batch_id = b.id)::integer as event_count
      from batches b left join batch_change c on c.batch_id = b.id
      where b.id in (select batch_id from batch_change union select batch_id from batch_event)
        and (select count(*) from locked_turn) >= 0 -- turns before batches
      order by b.id
      for no key update of b
    ),
    next_batch as materialized (
      select l.*,
        case
          when l.batch_event = 'batch_cancelled' then 'cancelled'
          when l.reopened then case when l.started_at is null then 'pending' else 'running' end
          when l.was in ('pending', 'running') and l.completed_jobs + l.failed_jobs + l.cancelled_jobs = l.total_jobs then
            case
              when l.completed_jobs = l.total_jobs then 'completed'
              when l.cancelled_jobs = l.total_jobs then 'cancelled'
              when l.completed_jobs = 0 and l.failed_jobs > 0 then 'failed'
              else 'partial'
            end
          else l.was
        end as status
      from locked_batch l
    ),
    batch_note as materialized (
      select id, last_event + event_count + 1 as number,
        coalesce(batch_event, case when status = 'cancelled' then 'batch_cancelled' else 'batch_completed' end) as type,
        case coalesce(batch_event, status)
          when 'batch_cancelled' then jsonb_build_object('cancelledJobs', touched)
          when 'batch_retried' then jsonb_build_object('retriedJobs', touched)
          when 'cancelled' then jsonb_build_object('cancelledJobs', cancelled_jobs)
          else jsonb_build_object('status', status, 'completedJobs', completed_jobs, 'failedJobs', failed_jobs, 'cancelledJobs', cancelled_jobs)
        end as data
      from next_batch
      where batch_event is not null or (status <> was and status in ('completed', 'partial', 'failed', 'cancelled'))
    ),
    counted as (
      update batches b set
        status = n.status,
        completed_jobs = n.completed_jobs,
        failed_jobs = n.failed_jobs,
        cancelled_jobs = n.cancelled_jobs,
        last_event = n.last_event + n.event_count + (select count(*) from batch_note where batch_note.id = n.id)::integer,
        completed_at = case when n.status in ('pending', 'running') then null else coalesce(b.completed_at, ${now}) end
      from next_batch n where b.id = n.id
    ),
    batch_events as (
      insert into events (stream_id, number, type, data, created_at)
      select e.batch_id, b.last_event + e.place, e.type, e.data, ${now} from batch_event e join locked_batch b on b.id = e.batch_id
      union all
      select id, number, type, data, ${now} from batch_note
    )`,
    join: sql`left join next_batch n on n.id = h.batch_id`,
    // On one row of each batch, so that what follows its end is done once.
    batchEnded: sql`case when n.status <> n.was and n.status not in ('pending', 'running')
        and h.job_id = first_value(h.job_id) over (partition by h.batch_id order by h.job_id) then n.status end`,
  };
}
