/**
 * The part of write-jobs that concerns others than the job itself: the limits and turns its end frees, the counters of
 * its batch, the batch's end, and the batch's stream. Left out of the statement when no job in it needs it, because
 * planning it takes longer than running it.
 */
import { nothing, type Sql, sql } from "../../db/sql.ts";

/** The batches that this statement has brought to their end, with their states by id; null where there is none. */
export const endedBatches = sql`(
        select jsonb_object_agg(n.id, n.status) from next_batch n where n.status <> n.was and n.status not in ('pending', 'running'))`;

/**
 * CTEs that follow on `held`. They are written so that none is joined with another: a kept plan does not know how many
 * rows they have, and would compare each with each.
 */
export function shareChanges(now: Sql, { telling, leaving }: { telling: boolean; leaving: boolean }): Sql {
  return sql`,
    locked_limit as materialized (
      select l.name, f.freed
      from (select limit_name, count(*)::integer as freed from held
            where limit_name is not null and was = 'running' and to_state is not null group by limit_name) f
      join job_limits l on l.name = f.limit_name
      ${leaving ? sql`where (select count(*) from unqueued) >= 0 -- the queue before limits` : nothing}
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
        coalesce(sum((h.to_state = 'completed')::integer), 0)::integer as completed,
        coalesce(sum((h.to_state = 'failed')::integer - (h.was = 'failed')::integer), 0)::integer as failed,
        coalesce(sum((h.to_state = 'cancelled')::integer - (h.was = 'cancelled')::integer), 0)::integer as cancelled,
        count(*) filter (where h.to_state in ('completed', 'failed', 'cancelled')
          or h.to_state is not null and h.was in ('failed', 'cancelled'))::integer as touched,
        coalesce(bool_or(h.to_state is not null and h.was in ('failed', 'cancelled')), false) as reopened,
        max(h.batch_event) as batch_event,
        ${telling ? toldEvents : sql`0 as event_count`}
      from held h where h.batch_id is not null and (h.to_state is not null ${telling ? sql`or h.told is not null` : nothing})
      group by h.batch_id
    ),
    locked_batch as materialized (
      select b.id, b.last_event, b.status as was, b.total_jobs, b.started_at,
        b.completed_jobs + c.completed as completed_jobs,
        b.failed_jobs + c.failed as failed_jobs,
        b.cancelled_jobs + c.cancelled as cancelled_jobs,
        c.reopened, c.batch_event, c.touched, c.event_count ${telling ? sql`, c.job_ids, c.sequences, c.told` : nothing}
      from batch_change c join batches b on b.id = c.batch_id
      where (select count(*) from locked_turn) >= 0 -- turns before batches
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
    noted_batch as materialized (
      select n.*, (n.batch_event is not null
        or (n.status <> n.was and n.status in ('completed', 'partial', 'failed', 'cancelled'))) as noted
      from next_batch n
    ),
    counted as (
      update batches b set
        status = n.status,
        completed_jobs = n.completed_jobs,
        failed_jobs = n.failed_jobs,
        cancelled_jobs = n.cancelled_jobs,
        last_event = n.last_event + n.event_count + n.noted::integer,
        completed_at = case when n.status in ('pending', 'running') then null else coalesce(b.completed_at, ${now}) end
      from noted_batch n where b.id = n.id
    ),
    batch_events as (
      insert into event_rows (stream_id, number, type, data, created_at)
      ${telling ? batchEvents(now) : nothing}
      select id, last_event + event_count + 1,
        coalesce(batch_event, case when status = 'cancelled' then 'batch_cancelled' else 'batch_completed' end),
        case coalesce(batch_event, status)
          when 'batch_cancelled' then jsonb_build_object('cancelledJobs', touched)
          when 'batch_retried' then jsonb_build_object('retriedJobs', touched)
          when 'cancelled' then jsonb_build_object('cancelledJobs', cancelled_jobs)
          else jsonb_build_object('status', status, 'completedJobs', completed_jobs, 'failedJobs', failed_jobs, 'cancelledJobs', cancelled_jobs)
        end,
        ${now}
      from noted_batch where noted
    )`;
}

/** The events of a batch's jobs, job by job. */
const toldEvents = sql`coalesce(sum(jsonb_array_length(h.told)), 0)::integer as event_count,
        array_agg(h.job_id order by h.job_id) as job_ids,
        array_agg(h.sequence order by h.job_id) as sequences,
        array_agg(h.told order by h.job_id) as told`;

function batchEvents(now: Sql): Sql {
  return sql`
      select l.id, l.last_event + (row_number() over (partition by l.id order by j.place, e.place))::integer, e.event ->> 'type',
        jsonb_build_object('jobId', j.job_id, 'sequence', j.sequence) || (e.event -> 'data'), ${now}
      from locked_batch l
      cross join lateral unnest(l.job_ids, l.sequences, l.told) with ordinality as j (job_id, sequence, told, place)
      cross join lateral jsonb_array_elements(j.told) with ordinality as e (event, place)
      union all`;
}
