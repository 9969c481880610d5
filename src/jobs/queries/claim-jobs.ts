/**
 * Claims many waiting jobs in one statement: by priority, then by turn, then by age; limits are counted on the rows
 * they are kept in, locked by the same statement, so they hold for any number of racing workers.
 *
 * Its cost does not grow with the jobs that wait or are finished: it hops through the index from one priority to the
 * next (so jobs that are not due yet are never read) and takes as many as it wants from the head of each.
 */
import type { Clock } from "../../clock.ts";
import type { Queryable } from "../../db/database.ts";
import { sql } from "../../db/sql.ts";

export interface ClaimedJob {
  id: string;
  kind: string;
  batchId: string | null;
  sequence: number | null;
  parentId: string | null;
  input: unknown;
  attempts: number;
  maxAttempts: number;
  lease: number;
  limitName: string | null;
  lastEvent: number;
  /** Outputs of the stages that earlier claims of this job have finished. */
  stages: Record<string, unknown> | null;
}

/** A kind this worker serves, with the limit it shares, if any. */
export interface ServedKind {
  kind: string;
  limitName: string | null;
}

export interface ClaimOptions {
  workerId: string;
  kinds: readonly ServedKind[];
  count: number;
  clock: Clock;
}

export async function claimJobs(db: Queryable, { workerId, kinds, count, clock }: ClaimOptions): Promise<ClaimedJob[]> {
  const now = clock.now();
  const names = kinds.map(({ kind }) => kind);
  const limitNames = kinds.map(({ limitName }) => limitName);
  return db.query<ClaimedJob>(sql`
    with recursive room as materialized (
      -- The only rows a claim waits for, and it holds nothing yet when it does.
      select name, max_running - running as free from job_limits
      where name = any (${[...new Set(limitNames.filter((name) => name !== null))]}::text[])
      order by name for no key update
    ),
    served as materialized (
      select s.kind, s.limit_name, least(coalesce(r.free, ${count}), ${count}) as free
      from unnest(${names}::text[], ${limitNames}::text[]) as s (kind, limit_name) left join room r on r.name = s.limit_name
      where coalesce(r.free, 1) > 0
    ),
    lane as (
      select s.kind, s.limit_name, s.free, top.priority
      from served s cross join lateral (
        select j.priority from jobs j where j.status = 'pending' and j.batch_id is null and j.kind = s.kind
        order by j.priority desc limit 1) top
      union all
      select l.kind, l.limit_name, l.free, lower.priority
      from lane l cross join lateral (
        select j.priority from jobs j
        where j.status = 'pending' and j.batch_id is null and j.kind = l.kind and j.priority < l.priority
        order by j.priority desc limit 1) lower
    ),
    single as materialized (
      select j.id, l.kind, l.limit_name, l.priority, j.run_at as since, null::uuid as batch_id,
        row_number() over (partition by l.kind, l.priority order by j.run_at, j.id) as place
      from lane l cross join lateral (
        select j.id, j.run_at from jobs j
        where j.status = 'pending' and j.batch_id is null and j.kind = l.kind and j.priority = l.priority and j.run_at <= ${now}
        order by j.run_at, j.id limit l.free
        for no key update skip locked) j
    ),
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
        order by t.turn_at limit l.free
        for no key update skip locked) t
    ),
    from_batch as materialized (
      select j.id, t.kind, t.limit_name, t.priority, t.turn_at as since, t.batch_id,
        row_number() over (partition by t.batch_id, t.kind order by j.run_at, j.sequence) as place
      from turn t cross join lateral (
        select j.id, j.run_at, j.sequence from jobs j
        where j.status = 'pending' and j.batch_id = t.batch_id and j.kind = t.kind and j.run_at <= ${now}
        order by j.run_at, j.sequence limit t.free
        for no key update skip locked) j
    ),
    picked as materialized (
      select c.id, c.kind, c.limit_name, c.batch_id, c.priority, c.place, c.since
      from (
        select c.*, row_number() over (partition by c.limit_name order by c.priority desc, c.place, c.since, c.id) as place_in_limit
        from (select * from single union all select * from from_batch) c
      ) c left join room r on r.name = c.limit_name
      where c.limit_name is null or c.place_in_limit <= r.free
      order by c.priority desc, c.place, c.since, c.id
      limit ${count}
    ),
    claimed as (
      update jobs j set status = 'running', attempts = j.attempts + 1, lease = j.lease + 1, worker_id = ${workerId}::uuid,
        limit_name = p.limit_name, started_at = ${now}, last_event = j.last_event + 1
      from picked p where j.id = p.id
      returning j.*, p.priority as claim_priority, p.place, p.since
    ),
    job_events as (
      insert into events (stream_id, number, type, data, created_at)
      select id, last_event, 'job_started', jsonb_build_object('attempt', attempts, 'lease', lease, 'workerId', worker_id), ${now}
      from claimed
    ),
    limits as (
      update job_limits l set running = l.running + p.taken
      from (select limit_name, count(*)::integer as taken from picked where limit_name is not null group by limit_name) p
      where l.name = p.limit_name
    ),
    turns as (
      -- Who had a turn goes to the back; whose jobs all wait for a later time waits for that; who has none left is out.
      update batch_turns t set running = t.running + v.taken,
        turn_at = case when v.taken > 0 or v.offered = 0 then (
          select case when v.taken > 0 then greatest(j.run_at, clock_timestamp()) else j.run_at end
          from jobs j
          where j.status = 'pending' and j.batch_id = v.batch_id and j.kind = v.kind
            and not exists (select from picked p where p.id = j.id)
          order by j.run_at, j.sequence limit 1) else t.turn_at end
      from (
        select turn.batch_id, turn.kind,
          (select count(*) from picked p where p.batch_id = turn.batch_id and p.kind = turn.kind)::integer as taken,
          (select count(*) from from_batch f where f.batch_id = turn.batch_id and f.kind = turn.kind)::integer as offered
        from turn) v
      where t.batch_id = v.batch_id and t.kind = v.kind
    ),
    started as (
      update batches b set status = 'running', started_at = ${now}, last_event = b.last_event + 1
      from (select distinct batch_id from picked where batch_id is not null order by batch_id) p
      where b.id = p.batch_id and b.status = 'pending'
      returning b.id, b.last_event, b.total_jobs, b.data
    ),
    batch_events as (
      insert into events (stream_id, number, type, data, created_at)
      select id, last_event, 'batch_started', data || jsonb_build_object('batchId', id, 'totalJobs', total_jobs), ${now} from started
    )
    select c.id, c.kind, c.batch_id, c.sequence, c.parent_id, c.input, c.attempts, c.max_attempts, c.lease, c.limit_name,
      c.last_event,
      case when c.lease > 1 then (select jsonb_object_agg(s.name, s.output) from job_stages s where s.job_id = c.id) end as stages
    from claimed c
    order by c.claim_priority desc, c.place, c.since, c.id`);
}
