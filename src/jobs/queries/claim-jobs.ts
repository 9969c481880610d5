/**
 * Claims many waiting jobs in one statement: by priority, then by turn, then by age; limits are counted on the rows
 * they are kept in, locked by the same statement, so they hold for any number of racing workers.
 *
 * Those that are to be started at once become running. Those that are taken ahead are only reserved: they leave the
 * queue for a hold of the worker's, and their own rows stay as they are until something is written for them.
 *
 * Its cost does not grow with the jobs that wait or are finished: it hops through the queue from one priority to the
 * next (so jobs that are not due yet are never read) and takes as many as it wants from the head of each.
 */
import type { Clock } from "../../db/clock.ts";
import type { Queryable } from "../../db/database.ts";
import { rowsOf } from "../../db/rows.ts";
import { nothing, type Sql, sql } from "../../db/sql.ts";
import { newId } from "../new-id.ts";
import { countEmptyTurns, fromBatches, takeTurns } from "./take-turns.ts";

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
  /** The length of its stream as its row has it. */
  lastEvent: number;
  /** How long it could have been started before it was claimed. */
  waitedMs: number;
  /** Outputs of the stages that earlier claims of this job have finished. */
  stages: Record<string, unknown> | null;
  /** The hold it is in, if it was taken ahead: its row still says that it waits, under the lease before this one. */
  holdId: string | null;
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
  /** How many of them are taken ahead: reserved, if no limit and no batch counts them. */
  ahead?: number;
  /** Holds of this worker's that are of no use any more, to be removed on the way. */
  spentHolds?: readonly string[];
  clock: Clock;
  /** Whether jobs of batches may be waiting. If not, the statement leaves them out: it plans in half the time. */
  batches?: boolean;
  /** Told how many batches had their turn and nothing to start: others may stand behind them. */
  onEmptyTurns?: (count: number) => void;
}

export async function claimJobs(db: Queryable, options: ClaimOptions): Promise<ClaimedJob[]> {
  const { workerId, kinds, count, ahead = 0, spentHolds = [], clock, batches = true, onEmptyTurns } = options;
  const now = clock.now();
  const limitNames = [...new Set(kinds.flatMap(({ limitName }) => limitName ?? []))];
  const limitedKinds = kinds.filter(({ limitName }) => limitName !== null).map(({ kind }) => kind);
  const limited = limitNames.length > 0;
  const counted = limited || batches;
  const reserving = ahead > 0;
  const starts = count - ahead;
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
        select q.priority from queue q where q.kind = s.kind order by q.priority desc limit 1) top
      union all
      select l.kind, l.limit_name, l.free, lower.priority
      from lane l cross join lateral (
        select q.priority from queue q where q.kind = l.kind and q.priority < l.priority order by q.priority desc limit 1) lower
    ),
    ${counted ? pickAmongAll({ now, count, limited, batches }) : pickWaiting(now, count)},
    -- Never waits for a job: who holds one may be about to take it out of the queue.
    starting as materialized (
      select j.id, j.started_at from jobs j
      where j.id = any (array(select p.id from picked p ${reserving ? sql`where ${startsAtOnce({ starts, counted })}` : nothing}))
        and j.status = 'pending'
      order by j.id for no key update skip locked
    ),
    dequeued as (
      delete from queue where ctid = any (array(select p.entry from picked p where p.id in (select id from starting)))
    ),
    claimed as (
      update jobs j set status = 'running', attempts = j.attempts + 1, lease = j.lease + 1, worker_id = ${workerId}::uuid,
        limit_name = ${limited ? sql`(select s.limit_name from served s where s.kind = j.kind)` : sql`null`},
        started_at = ${now}, last_event = j.last_event + 1
      where j.id = any (array(select id from starting))
      returning j.id, j.kind, j.batch_id, j.sequence, j.parent_id, j.input, j.attempts, j.max_attempts, j.lease, j.limit_name,
        j.last_event, j.priority, j.run_at
    ),
    -- The first event of a job is its first start, and its row says so until it is started again.
    job_events as (
      insert into event_rows (stream_id, number, type, data, created_at)
      select c.id, c.last_event, 'job_started', jsonb_build_object('attempt', c.attempts, 'lease', c.lease), ${now}
      from claimed c where c.last_event > 1
      union all
      select c.id, 1, 'job_started', '{"attempt": 1, "lease": 1}', s.started_at
      from claimed c join starting s using (id) where c.last_event > 1 and s.started_at is not null
        and not exists (select from event_rows e where e.stream_id = c.id and e.number = 1)
    )
    ${reserving ? reserve({ workerId, starts, counted, now }) : nothing}
    ${reserving || spentHolds.length > 0 ? forgetHolds(workerId, spentHolds) : nothing}
    ${limited ? countUnderLimits : nothing}
    ${batches ? takeTurns(now) : nothing}
    select c.id, c.kind, c.batch_id, c.sequence, c.parent_id, c.input, c.attempts, c.max_attempts, c.lease, c.limit_name, c.last_event,
      date_part('epoch', ${now} - c.run_at) * 1000 as waited_ms, null as stages, c.hold_id,
      ${batches ? sql`e.empty_turns` : sql`0`} as empty_turns
    ${batches ? sql`from (select ${countEmptyTurns} as empty_turns) e left join ${allClaimed(reserving)} on true` : sql`from ${allClaimed(reserving)}`}
    ${counted ? sql`left join picked p on p.id = c.id order by p.turn` : sql`order by c.priority desc, c.run_at, c.id`}`);
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
      select q.job_id as id, q.entry, row_number() over (order by l.priority desc, q.run_at, q.job_id) as turn
      from lane l cross join lateral (${waitingIn(now, count)}) q
      order by l.priority desc, q.run_at, q.job_id limit ${count}
    )`;
}

/** The jobs at the head of lane `l`. */
function waitingIn(now: Sql, count: number): Sql {
  return sql`
        select q.job_id, q.run_at, q.ctid as entry from queue q
        where q.kind = l.kind and q.priority = l.priority and q.run_at <= ${now}
        order by q.run_at, q.job_id limit ${count}
        for update skip locked`;
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
      select q.job_id as id, l.kind, l.limit_name, l.priority, q.run_at as since, null::uuid as batch_id,
        row_number() over (partition by l.priority order by q.run_at, q.job_id) as place, q.entry
      from lane l cross join lateral (${waitingIn(now, count)}) q
    ),
    ${batches ? fromBatches(now, count) : nothing}
    candidate as materialized (
      select * from single ${batches ? sql`union all select * from from_batch` : nothing}
    ),
    picked as materialized (
      select c.*, row_number() over (order by c.priority desc, c.place, c.since, c.id) as turn
      from ${limited ? withinLimits : sql`candidate`} c
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
      -- Of those that were picked, one that somebody has locked is not started.
      from (select limit_name, count(*)::integer as taken from picked
            where limit_name is not null and id in (select id from starting) group by limit_name) p
      where l.name = p.limit_name
    )`;

interface Reserving {
  workerId: string;
  /** How many of those picked are started at once. */
  starts: number;
  /** Whether some of them may be under a limit or in a batch: those are never reserved, as somebody counts them. */
  counted: boolean;
  now: Sql;
}

function startsAtOnce({ starts, counted }: Pick<Reserving, "starts" | "counted">): Sql {
  return sql`(p.turn <= ${starts} ${counted ? sql`or p.limit_name is not null or p.batch_id is not null` : nothing})`;
}

/** The others change from the queue to a hold. */
function reserve({ workerId, starts, counted, now }: Reserving): Sql {
  return sql`,
    reserved as (
      delete from queue q where q.ctid = any (array(select p.entry from picked p where not ${startsAtOnce({ starts, counted })}))
      returning q.job_id, q.kind, q.priority, q.run_at, q.lease, q.attempts, q.max_attempts, q.last_event, q.parent_id, q.input
    ),
    hold as (
      insert into holds (id, worker_id, job_ids, leases, claimed_at)
      select ${newId()}, ${workerId}::uuid, array_agg(job_id), array_agg(lease), ${now} from reserved having count(*) > 0
      returning id
    )`;
}

/** Both sorts as one, to be called `c`. */
function allClaimed(reserving: boolean): Sql {
  return reserving
    ? sql`(
      select *, null::uuid as hold_id from claimed
      union all
      select r.job_id, r.kind, null, null, r.parent_id,
        coalesce(r.input, (select j.input from jobs j where j.id = r.job_id)), r.attempts + 1, r.max_attempts, r.lease + 1, null,
        r.last_event, r.priority, r.run_at, (select id from hold)
      from reserved r) c`
    : sql`(select *, null::uuid as hold_id from claimed) c`;
}

/** Those of a worker that was lost are for whoever takes its jobs back. */
function forgetHolds(workerId: string, ids: readonly string[]): Sql {
  return sql`,
    forgotten as (delete from holds where id = any (${ids}::uuid[]) and worker_id = ${workerId}::uuid)`;
}
