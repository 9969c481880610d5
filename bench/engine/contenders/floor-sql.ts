/** The fewest statements that do each workload right: what an engine on PostgreSQL can hope to come near. */

export const tables = `
  create table floor_jobs (
    id bigint generated always as identity primary key,
    state smallint not null default 0,
    group_id integer not null,
    payload jsonb not null,
    worker integer,
    claimed_at timestamptz,
    finished_at timestamptz
  ) with (fillfactor = 80);
  create index floor_waiting on floor_jobs (id) where state = 0;
  create index floor_waiting_in_group on floor_jobs (group_id, id) where state = 0;
  create index floor_running on floor_jobs (worker) where state = 1;
  create table floor_groups (id integer primary key, running integer not null default 0) with (fillfactor = 50);
  create table floor_steps (
    job_id bigint not null,
    step integer not null,
    output jsonb,
    finished_at timestamptz not null default now(),
    primary key (job_id, step)
  )`;

export const addMany = `
  insert into floor_jobs (group_id, payload)
  select group_id, payload::jsonb from unnest($1::integer[], $2::text[]) as job (group_id, payload)`;

export const addGroups = "insert into floor_groups (id) select distinct unnest($1::integer[]) on conflict do nothing";

/** $1 worker, $2 how many. */
export const claim = `
  update floor_jobs j set state = 1, worker = $1, claimed_at = now()
  from (select id from floor_jobs where state = 0 order by id limit $2 for no key update skip locked) picked
  where j.id = picked.id
  returning j.id, j.payload`;

/** $1 worker, $2 how many, $3 how many of a group may run: the counters are locked by the same statement. */
export const claimInGroups = `
  with room as materialized (
    select id, $3 - running as free from floor_groups where running < $3 order by id for no key update skip locked
  ),
  picked as materialized (
    select j.id, room.id as group_id
    from room cross join lateral (
      select id from floor_jobs where state = 0 and group_id = room.id order by id limit room.free
      for no key update skip locked) j
    limit $2
  ),
  counted as (
    update floor_groups g set running = g.running + taken.jobs
    from (select group_id, count(*)::integer as jobs from picked group by group_id) taken
    where g.id = taken.group_id
  )
  update floor_jobs j set state = 1, worker = $1, claimed_at = now() from picked where j.id = picked.id
  returning j.id, j.payload`;

/** $1 ids. */
export const complete =
  "update floor_jobs set state = 2, worker = null, finished_at = now() where id = any ($1::bigint[])";

/** $1 ids, $2 their groups. */
export const completeInGroups = `
  with freed as materialized (
    select g.id, f.jobs
    from (select group_id, count(*)::integer as jobs from unnest($2::integer[]) as group_id group by group_id) f
    join floor_groups g on g.id = f.group_id order by g.id for no key update of g
  ),
  counted as (update floor_groups g set running = g.running - freed.jobs from freed where g.id = freed.id)
  update floor_jobs set state = 2, worker = null, finished_at = now() where id = any ($1::bigint[])`;

/** $1 jobs, $2 steps, $3 jobs that are finished with it: one row a step, one commit for all that run side by side. */
export const saveSteps = `
  with saved as (
    insert into floor_steps (job_id, step, output)
    select job_id, step, '{}' from unnest($1::bigint[], $2::integer[]) as s (job_id, step)
  )
  update floor_jobs set state = 2, worker = null, finished_at = now() where id = any ($3::bigint[])`;
