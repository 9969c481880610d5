/**
 * Claims many waiting jobs in one statement: by priority, then by turn, then by age; limits are counted on the rows
 * they are kept in, locked by the same statement, so they hold for any number of racing workers.
 *
 * Those that are to be started at once become running. Those that are taken ahead are only reserved: they leave the
 * queue for a hold of the worker's, and their own rows stay as they are until something is written for them.
 *
 * Its cost does not grow with the jobs that wait or are finished: it hops through the queue from one priority to the
 * next (so jobs that are not due yet are never read) and takes as many entries as it wants from the head of each.
 */
import type { Clock } from "../../db/clock.ts";
import type { Queryable } from "../../db/database.ts";
import { rowsOf } from "../../db/rows.ts";
import { nothing, type Sql, sql } from "../../db/sql.ts";
import { newId } from "../new-id.ts";
import { leftInEntry } from "./queue-changes.ts";
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
  /** Whether they are only reserved: all but those that a limit or a batch counts. */
  ahead?: boolean;
  /** Holds of this worker's that are of no use any more, to be removed on the way. */
  spentHolds?: readonly string[];
  clock: Clock;
  /** Whether jobs of batches may be waiting. If not, the statement leaves them out: it plans in half the time. */
  batches?: boolean;
}

export interface Claim {
  jobs: ClaimedJob[];
  /** Whether it looked into too few entries of the queue, so that it left alone what comes behind them. */
  more: boolean;
  /** Whether it found too few while others had entries locked, in which they may leave jobs. */
  contended: boolean;
  /** How many batches had their turn and nothing to start: others may stand behind them. */
  emptyTurns: number;
}

export async function claimJobs(db: Queryable, options: ClaimOptions): Promise<Claim> {
  const { workerId, kinds, count, ahead = false, spentHolds = [], clock, batches = true } = options;
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
      select s.kind, s.limit_name, s.free, top.priority, ${entriesLike(sql`top.jobs`, count)} as entries
      from served s cross join lateral (
        select q.priority, q.jobs from queue q where q.kind = s.kind
        order by q.priority desc, q.run_at, q.first_id limit 1) top
      union all
      select l.kind, l.limit_name, l.free, lower.priority, ${entriesLike(sql`lower.jobs`, count)}
      from lane l cross join lateral (
        select q.priority, q.jobs from queue q where q.kind = l.kind and q.priority < l.priority
        order by q.priority desc, q.run_at, q.first_id limit 1) lower
    ),
    entry as materialized (
      select e.*, l.limit_name, l.free, l.entries,
        -- One that was shortened since this statement began is locked as it is now, but could not be changed by it.
        coalesce((select true from queue seen where seen.ctid = e.at), false) as usable,
        sum(e.jobs) over (partition by e.kind, e.priority order by e.run_at, e.first_id rows unbounded preceding) - e.jobs as jobs_before
      from lane l cross join lateral (
        select q.ctid as at, q.* from queue q where ${dueInLane(now)} limit l.entries for update skip locked) e
    ),
    -- The first lane that may have more behind what was looked into: what comes after that is not its turn yet.
    cut as materialized (
      select e.priority, max(e.run_at) as run_at from entry e
      group by e.kind, e.priority, e.free, e.entries having count(*) = e.entries and sum(e.jobs) < e.free
      order by e.priority desc, max(e.run_at) limit 1
    ),
    ${pick({ now, count, limited, batches })},
    -- Never waits for a job: who holds one may be about to take it out of the queue.
    starting_single as materialized (
      select j.id, j.started_at from jobs j
      where j.id = any (array(select p.id from picked p where p.batch_id is null ${ahead ? sql`and p.limit_name is not null` : nothing}))
        and j.status = 'pending'
      order by j.id for no key update skip locked
    ),
    starting as materialized (
      select * from starting_single
      ${batches ? sql`union all select id, started_at from picked where batch_id is not null` : nothing}
    ),
    -- What is taken out of each entry.
    taken_out as materialized (
      select p.entry, array_agg(p.id order by p.place) as ids, ${ahead ? sql`bool_or(p.limit_name is null)` : sql`false`} as reserved, min(p.turn) as turn
      from picked p
      where p.entry is not null and (${ahead ? sql`${canBeReserved} or` : nothing} p.id in (select id from starting))
      group by p.entry
    ),
    emptied as (
      delete from queue where ctid = any (array(
        select e.at from entry e join taken_out t on t.entry = e.at where e.jobs = cardinality(t.ids)))
    ),
    shortened as (
      update queue q set ${leftInEntry(sql`t.ids`)}
      from taken_out t where q.ctid = t.entry and q.ctid = any (array(select entry from taken_out)) and q.jobs > cardinality(t.ids)
    ),
    claimed as (
      update jobs j set status = 'running', attempts = j.attempts + 1, lease = j.lease + 1, worker_id = ${workerId}::uuid,
        limit_name = ${limited ? sql`(select s.limit_name from served s where s.kind = j.kind)` : sql`null`},
        started_at = ${now}, last_event = j.last_event + 1
      where j.id = any (array(select id from starting))
      returning j.id, j.kind, j.batch_id, j.sequence, j.parent_id, j.input, j.attempts, j.max_attempts, j.lease, j.limit_name,
        j.last_event, j.run_at
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
    ${ahead ? reserve(workerId, now) : nothing}
    ${ahead || spentHolds.length > 0 ? forgetHolds(workerId, spentHolds) : nothing}
    ${limited ? countUnderLimits : nothing}
    ${batches ? takeTurns(now) : nothing}
    select c.*, date_part('epoch', ${now} - c.run_at) * 1000 as waited_ms, facts.*
    from (
      select ${batches ? countEmptyTurns : sql`0`} as empty_turns, exists (select from cut) as more,
        -- One that somebody has just taken is seen here too.
        (select count(*) from picked) < ${count} and exists (
          select from lane l cross join lateral (select q.ctid from queue q where ${dueInLane(now)} limit l.entries) q
          where q.ctid not in (select at from entry where usable)) as contended
    ) facts left join (
      select c.id::text as ids, jsonb_build_array(c.input) as inputs, c.kind, c.batch_id, c.sequence, c.parent_id, c.attempts, c.max_attempts,
        c.lease, c.limit_name, c.last_event, c.run_at, null::uuid as hold_id, p.turn
      from claimed c join picked p on p.id = c.id
      ${ahead ? reservedEntries : nothing}
    ) c on true
    order by c.turn`);
  const { more, contended, emptyTurns } = rows[0] as ClaimRow;
  const jobs = rows.flatMap(toJobs);
  await addStages(
    db,
    jobs.filter(({ lease }) => lease > 1),
  );
  return { jobs, more, contended, emptyTurns };
}

/** Jobs that were claimed together, in one entry; without ids where none was, so that a claim in vain can say why. */
interface ClaimRow extends Omit<ClaimedJob, "id" | "input" | "stages">, Omit<Claim, "jobs"> {
  /** Separated by commas. */
  ids: string | null;
  /** Of the jobs by these ids and maybe more behind them. */
  inputs: readonly unknown[];
}

function toJobs({ ids, inputs, ...row }: ClaimRow): ClaimedJob[] {
  if (ids === null) return [];
  const { kind, batchId, sequence, parentId, attempts, maxAttempts, lease, limitName, lastEvent, waitedMs, holdId } =
    row;
  return ids.split(",").map((id, place) => ({
    id,
    kind,
    batchId,
    sequence,
    parentId,
    input: inputs[place],
    attempts,
    maxAttempts,
    lease,
    limitName,
    lastEvent,
    waitedMs,
    stages: null,
    holdId,
  }));
}

/** A statement of its own: the claim sees checkpoints as they were before it waited for its locks. */
async function addStages(db: Queryable, jobs: readonly ClaimedJob[]): Promise<void> {
  if (jobs.length === 0) return;
  const rows = await db.query<{ jobId: string; stages: Record<string, unknown> }>(sql`
    select job_id, jsonb_object_agg(name, output) as stages from job_stages where job_id = any (${jobs.map(({ id }) => id)}::uuid[]) group by job_id`);
  const stages = new Map(rows.map(({ jobId, stages }) => [jobId, stages]));
  for (const job of jobs) job.stages = stages.get(job.id) ?? null;
}

/** How many entries have so many jobs, if they are like the first of their lane. */
function entriesLike(jobs: Sql, count: number): Sql {
  return sql`ceil(${count}::float8 / greatest(1, ${jobs}))::integer`;
}

/** The entries of lane `l` that may be claimed, in the order they are claimed in. */
function dueInLane(now: Sql): Sql {
  return sql`q.kind = l.kind and q.priority = l.priority and q.run_at <= ${now} and q.jobs > 0 order by q.run_at, q.first_id`;
}

interface Picking {
  now: Sql;
  count: number;
  limited: boolean;
  batches: boolean;
}

/** Among those in the entries and those of batches: each entry is used from its beginning, and only the last one in part. */
function pick({ now, count, limited, batches }: Picking): Sql {
  return sql`
    single as materialized (
      select u.id, e.kind, e.limit_name, e.priority, e.run_at as since, null::uuid as batch_id,
        row_number() over (partition by e.priority order by e.run_at, e.first_id, u.nr) as place, e.at as entry, null::timestamptz as started_at
      from entry e cross join lateral unnest(e.job_ids) with ordinality as u (id, nr)
      where e.usable and e.jobs_before < ${count}
    ),
    ${batches ? fromBatches(now, count) : nothing}
    candidate as materialized (
      select c.* from (select * from single ${batches ? sql`union all select * from from_batch` : nothing}) c
      where not exists (select from cut
        where c.priority < cut.priority or c.priority = cut.priority and c.batch_id is null and c.since > cut.run_at)
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

/** Of those picked `p`: nobody counts it. */
const canBeReserved = sql`(p.limit_name is null and p.batch_id is null)`;

function reserve(workerId: string, now: Sql): Sql {
  return sql`,
    hold as (
      insert into holds (id, worker_id, job_ids, leases, claimed_at)
      select ${newId()}, ${workerId}::uuid, array_agg(u.id), array_agg(e.lease), ${now}
      from taken_out t join entry e on e.at = t.entry cross join lateral unnest(t.ids) as u (id)
      where t.reserved having count(*) > 0
      returning id
    )`;
}

/** Beside the jobs that were started, in the same columns. */
const reservedEntries = sql`
      union all
      select array_to_string(t.ids, ','),
        coalesce(e.inputs, (select jsonb_agg(j.input order by array_position(t.ids, j.id)) from jobs j where j.id = any (t.ids))),
        e.kind, null, null, e.parent_id, e.attempts + 1, e.max_attempts, e.lease + 1, null, e.last_event, e.run_at, (select id from hold), t.turn
      from taken_out t join entry e on e.at = t.entry where t.reserved`;

/** Those of a worker that was lost are for whoever takes its jobs back. */
function forgetHolds(workerId: string, ids: readonly string[]): Sql {
  return sql`,
    forgotten as (delete from holds where id = any (${ids}::uuid[]) and worker_id = ${workerId}::uuid)`;
}
