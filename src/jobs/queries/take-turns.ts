/** The part of a claim that concerns batches: whose turn it is, what they offer, and what a turn that was taken changes. */
import { type Sql, sql } from "../../db/sql.ts";

/** The batches whose turn it is, and as many jobs of each as may run. */
export function fromBatches(now: Sql, count: number): Sql {
  return sql`
    turn_lane as (
      select s.kind, s.limit_name, s.free, top.priority
      from served s cross join lateral (
        select t.priority from batch_turns t where t.turn_at is not null and t.running < t.max_running and t.kind = s.kind
        order by t.priority desc limit 1) top
      union all
      select l.kind, l.limit_name, l.free, lower.priority
      from turn_lane l cross join lateral (
        select t.priority from batch_turns t
        where t.turn_at is not null and t.running < t.max_running and t.kind = l.kind and t.priority < l.priority
        order by t.priority desc limit 1) lower
    ),
    turn as materialized (
      select t.batch_id, l.kind, l.limit_name, l.priority, t.turn_at, least(t.free, l.free) as free
      from turn_lane l cross join lateral (
        select t.batch_id, t.turn_at, t.max_running - t.running as free from batch_turns t
        where t.turn_at <= ${now} and t.running < t.max_running and t.kind = l.kind and t.priority = l.priority
        order by t.turn_at limit ${count}
        for no key update skip locked) t
    ),
    from_batch as materialized (
      select j.id, t.kind, t.limit_name, t.priority, t.turn_at as since, t.batch_id,
        row_number() over (partition by t.batch_id, t.kind order by j.run_at, j.sequence) as place, null::tid as entry, j.started_at
      from turn t cross join lateral (
        select j.id, j.run_at, j.sequence, j.started_at from jobs j
        where j.status = 'pending' and j.batch_id = t.batch_id and j.kind = t.kind and j.run_at <= ${now}
        order by j.run_at, j.sequence limit t.free
        for no key update skip locked) j
    ),`;
}

export const countEmptyTurns = sql`(
      select count(*)::integer from turn t where not exists (
        select from offered o where o.batch_id = t.batch_id and o.kind = t.kind))`;

/**
 * Counts what was taken, sends the batches that had a turn to the back, and starts those that were waiting. The arrays make
 * the planner look the rows up by key; joined alone it would read both tables, with all batches that have ended.
 */
export function takeTurns(now: Sql): Sql {
  return sql`,
    taken as materialized (
      select batch_id, kind, count(*)::integer as jobs from picked where batch_id is not null group by batch_id, kind
    ),
    offered as materialized (
      select distinct batch_id, kind from from_batch
    ),
    turns as (
      -- Who had a turn goes behind all who wait. Whether more waits is not decided here: this statement sees the jobs as
      -- they were before it waited for its locks, and would lose sight of one that was handed back meanwhile.
      update batch_turns t set running = t.running + coalesce(taken.jobs, 0),
        turn_at = case when taken.jobs is null and offered.batch_id is not null then t.turn_at else ${now} end,
        looked_empty = offered.batch_id is null
      from turn left join taken using (batch_id, kind) left join offered using (batch_id, kind)
      where t.batch_id = turn.batch_id and t.kind = turn.kind and t.batch_id = any (array(select batch_id from turn))
    ),
    locked_batch as materialized (
      select b.id from batches b where b.id = any (array(select batch_id from taken)) and b.status = 'pending'
      order by b.id for no key update
    ),
    started as (
      update batches b set status = 'running', started_at = ${now}, last_event = b.last_event + 1
      where b.id = any (array(select id from locked_batch))
      returning b.id, b.last_event, b.total_jobs, b.data
    ),
    batch_events as (
      insert into event_rows (stream_id, number, type, data, created_at)
      select id, last_event, 'batch_started', data || jsonb_build_object('batchId', id, 'totalJobs', total_jobs), ${now} from started
    )`;
}
