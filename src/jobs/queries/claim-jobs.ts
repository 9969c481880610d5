/**
 * Claims many waiting jobs in one statement: by priority, then by turn, then by age; limits are counted on the rows
 * they are kept in, locked by the same statement, so they hold for any number of racing workers.
 *
 * Its cost does not grow with the jobs that wait or are finished: it hops through the index from one priority to the
 * next (so jobs that are not due yet are never read) and takes as many as it wants from the head of each.
 */
import type { Clock } from "../../db/clock.ts";
import type { Queryable } from "../../db/database.ts";
import { rowsOf } from "../../db/rows.ts";
import { nothing, type Sql, sql } from "../../db/sql.ts";

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
  /** How long it could have been started before it was claimed. */
  waitedMs: number;
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
  /** Whether jobs of batches may be waiting. If not, the statement leaves them out: it plans in half the time. */
  batches?: boolean;
  /** Told how many batches had their turn and nothing to start: others may stand behind them. */
  onEmptyTurns?: (count: number) => void;
}

export async function claimJobs(
  db: Queryable,
  { workerId, kinds, count, clock, batches = true, onEmptyTurns }: ClaimOptions,
): Promise<ClaimedJob[]> {
  const now = clock.now();
  const limitNames = [...new Set(kinds.flatMap(({ limitName }) => limitName ?? []))];
  const limitedKinds = kinds.filter(({ limitName }) => limitName !== null).map(({ kind }) => kind);
  const limited = limitNames.length > 0;
  const rows = await db.query<ClaimRow>(sql`
    with recursive
    ${limited ? roomUnderLimits(limitNames, limitedKinds) : nothing}
    served as materialized (
      select s.kind, s.limit_name, ${limited ? sql`least(coalesce(r.free, ${count}), ${count})` : sql`${count}::integer`} as free
      from (${rowsOf(
        { kind: "text", limit_name: "text" },
        kinds.map(({ kind, limitName }) => ({ kind, limit_name: limitName })),
      )}) s
      ${limited ? sql`left join room r on r.name = s.limit_name` : nothing}
      -- A worker that was declared lost claims nothing more under its old name.
      where exists (select from workers w where w.id = ${workerId}::uuid and w.lost_at is null)
        ${limited ? sql`and (s.limit_name is null or r.free > 0)` : nothing}
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
    ${limited || batches ? pickAmongAll({ now, count, limited, batches }) : pickWaiting(now, count)},
    claimed as (
      update jobs j set status = 'running', attempts = j.attempts + 1, lease = j.lease + 1, worker_id = ${workerId}::uuid,
        limit_name = ${limited ? sql`(select s.limit_name from served s where s.kind = j.kind)` : sql`null`},
        started_at = ${now}, last_event = j.last_event + 1
      where j.id = any (array(select id from picked))
      returning j.id, j.kind, j.batch_id, j.sequence, j.parent_id, j.input, j.attempts, j.max_attempts, j.lease, j.limit_name,
        j.last_event, j.priority, j.run_at
    ),
    -- The first event of a job is its first start, and its row says so until it is started again.
    job_events as (
      insert into event_rows (stream_id, number, type, data, created_at)
      select c.id, c.last_event, 'job_started', jsonb_build_object('attempt', c.attempts, 'lease', c.lease), ${now}
      from claimed c where c.last_event > 1
      union all
      select c.id, 1, 'job_started', '{"attempt": 1, "lease": 1}', p.started_at
      from claimed c join picked p using (id) where c.last_event > 1 and p.started_at is not null
        and not exists (select from event_rows e where e.stream_id = c.id and e.number = 1)
    )
    ${limited ? countUnderLimits : nothing}
    ${batches ? takeTurns(now) : nothing}
    select c.id, c.kind, c.batch_id, c.sequence, c.parent_id, c.input, c.attempts, c.max_attempts, c.lease, c.limit_name, c.last_event,
      date_part('epoch', ${now} - c.run_at) * 1000 as waited_ms, null as stages, ${batches ? sql`e.empty_turns` : sql`0`} as empty_turns
    ${batches ? sql`from (select ${countEmptyTurns} as empty_turns) e left join claimed c on true` : sql`from claimed c`}
    ${limited || batches ? sql`left join picked p on p.id = c.id order by p.priority desc, p.place, p.since, p.id` : sql`order by c.priority desc, c.run_at, c.id`}`);
  const emptyTurns = rows[0]?.emptyTurns ?? 0;
  if (emptyTurns > 0) onEmptyTurns?.(emptyTurns);
  const claimed = rows.filter((row): row is ClaimRow & ClaimedJob => row.id !== null);
  await addStages(
    db,
    claimed.filter(({ lease }) => lease > 1),
  );
  return claimed;
}

/** A job that was claimed; or none, so that a claim in vain can say why. */
type ClaimRow = Omit<ClaimedJob, "id"> & { id: string | null; emptyTurns: number };

/** A statement of its own: the claim sees checkpoints as they were before it waited for its locks. */
async function addStages(db: Queryable, jobs: readonly ClaimedJob[]): Promise<void> {
  if (jobs.length === 0) return;
  const rows = await db.query<{ jobId: string; stages: Record<string, unknown> }>(sql`
    select job_id, jsonb_object_agg(name, output) as stages from job_stages where job_id = any (${jobs.map(({ id }) => id)}::uuid[]) group by job_id`);
  const stages = new Map(rows.map(({ jobId, stages }) => [jobId, stages]));
  for (const job of jobs) job.stages = stages.get(job.id) ?? null;
}

/** Where no limit and no batch is concerned: those that have waited longest, of the highest priority first. */
function pickWaiting(now: Sql, count: number): Sql {
  return sql`
    picked as materialized (
      select j.id, j.started_at from lane l cross join lateral (${waitingIn(now, count)}) j
      order by l.priority desc, j.run_at, j.id limit ${count}
    )`;
}

/** The jobs at the head of lane `l`. */
function waitingIn(now: Sql, count: number): Sql {
  return sql`
        select j.id, j.run_at, j.started_at from jobs j
        where j.status = 'pending' and j.batch_id is null and j.kind = l.kind and j.priority = l.priority and j.run_at <= ${now}
        order by j.run_at, j.id limit ${count}
        for no key update skip locked`;
}

interface Among {
  now: Sql;
  count: number;
  limited: boolean;
  batches: boolean;
}

function pickAmongAll({ now, count, limited, batches }: Among): Sql {
  return sql`
    single as materialized (
      select j.id, l.kind, l.limit_name, l.priority, j.run_at as since, null::uuid as batch_id,
        row_number() over (partition by l.priority order by j.run_at, j.id) as place, j.started_at
      from lane l cross join lateral (${waitingIn(now, count)}) j
    ),
    ${batches ? fromBatches(now, count) : nothing}
    candidate as materialized (
      select * from single ${batches ? sql`union all select * from from_batch` : nothing}
    ),
    picked as materialized (
      select * from ${limited ? withinLimits : sql`candidate`} c
      order by c.priority desc, c.place, c.since, c.id
      limit ${count}
    )`;
}

/**
 * How many more may run under each limit. The only rows a claim waits for, and it holds nothing yet when it does. Where no
 * job of a limited kind waits they are left alone: else one seldom used limit would make all claims stand in line.
 */
function roomUnderLimits(names: readonly string[], kinds: readonly string[]): Sql {
  return sql`
    room as materialized (
      select name, max_running - running as free from job_limits
      where name = any (${names}::text[]) and exists (select from jobs j where j.status = 'pending' and j.kind = any (${kinds}::text[]))
      order by name for no key update
    ),`;
}

const withinLimits = sql`(
        select c.* from (
          select c.*, row_number() over (partition by c.limit_name order by c.priority desc, c.place, c.since, c.id) as place_in_limit
          from candidate c
        ) c left join room r on r.name = c.limit_name
        where c.limit_name is null or c.place_in_limit <= r.free
      )`;

const countUnderLimits = sql`,
    limits as (
      update job_limits l set running = l.running + p.taken
      from (select limit_name, count(*)::integer as taken from picked where limit_name is not null group by limit_name) p
      where l.name = p.limit_name
    )`;

/** The batches whose turn it is, and as many jobs of each as may run. */
function fromBatches(now: Sql, count: number): Sql {
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
        row_number() over (partition by t.batch_id, t.kind order by j.run_at, j.sequence) as place, j.started_at
      from turn t cross join lateral (
        select j.id, j.run_at, j.sequence, j.started_at from jobs j
        where j.status = 'pending' and j.batch_id = t.batch_id and j.kind = t.kind and j.run_at <= ${now}
        order by j.run_at, j.sequence limit t.free
        for no key update skip locked) j
    ),`;
}

const countEmptyTurns = sql`(
      select count(*)::integer from turn t where not exists (
        select from offered o where o.batch_id = t.batch_id and o.kind = t.kind))`;

/** Counts what was taken, sends the batches that had a turn to the back, and starts those that were waiting. */
function takeTurns(now: Sql): Sql {
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
      where t.batch_id = turn.batch_id and t.kind = turn.kind
    ),
    started as (
      update batches b set status = 'running', started_at = ${now}, last_event = b.last_event + 1
      from (select distinct batch_id from taken order by batch_id) p
      where b.id = p.batch_id and b.status = 'pending'
      returning b.id, b.last_event, b.total_jobs, b.data
    ),
    batch_events as (
      insert into event_rows (stream_id, number, type, data, created_at)
      select id, last_event, 'batch_started', data || jsonb_build_object('batchId', id, 'totalJobs', total_jobs), ${now} from started
    )`;
}
