/** Tables with a past, written by plain SQL: jobs that wait, jobs that are finished, and the dead rows of many more. */

/** Ids in order of time, as the engine makes them: version 7, here from a running number. */
const id = (number: string) =>
  `(lpad(to_hex(1700000000000 + ${number}), 12, '0') || '7' || substr(md5((${number})::text), 1, 3) || '8'
    || substr(md5((${number})::text), 4, 15))::uuid`;

const columns = "id, kind, status, input, max_attempts, when_lost, run_at, created_at";
const input = `'{"n": 0, "group": 0}'`;

/** $1 jobs that are done, older than all that wait. */
export const addFinished = `
  insert into jobs (${columns}, started_at, completed_at, attempts, lease, last_event)
  select ${id("n")}, 'bench', 'completed', ${input}, 3, 'retry', at, at, at, at, 1, 1, 2
  from generate_series(1, $1::integer) n, lateral (select now() - interval '2 hours' + n * interval '1 ms' as at) t`;

/** Adds jobs that wait, and their places in the queue. */
const addPending = (rows: string) => `
  with waiting as (
    insert into jobs (${columns}) ${rows} returning kind, priority, run_at, id, max_attempts, input)
  insert into queue (kind, priority, run_at, first_id, last_id, jobs, max_attempts, job_ids, inputs)
  select kind, priority, run_at, id, id, 1, max_attempts, array[id], jsonb_build_array(input) from waiting`;

/** $1 jobs that are due. */
export const addWaiting = addPending(`
  select ${id("10000000 + n")}, 'bench', 'pending', ${input}, 3, 'retry', at, at
  from generate_series(1, $1::integer) n, lateral (select now() - interval '1 hour' + n * interval '1 ms' as at) t`);

/**
 * $1 jobs after the first $2 are added, claimed and completed, each change in a commit of its own. They were due before
 * all that wait now, so what they leave in the index lies where every claim begins.
 */
const these = `between ${id("20000000 + $2::integer")} and ${id("20000001 + $2::integer + $1::integer")}`;
export const churn = [
  addPending(`
    select ${id("20000000 + n")}, 'bench', 'pending', ${input}, 3, 'retry', at, at
    from generate_series($2::integer + 1, $2::integer + $1::integer) n,
      lateral (select now() - interval '3 hours' + n * interval '1 ms' as at) t`),
  `delete from queue where first_id ${these}`,
  `update jobs set status = 'completed', attempts = 1, lease = 1, last_event = 2, started_at = now(), completed_at = now()
    where id ${these} and status = 'pending'`,
];
/** What each of them leaves behind in the queue. */
export const deadRowsPerJob = 1;

/** $1 rows die a second: as many as lie in the table when autovacuum comes, by its own and the table's settings, as `rows`. */
export const deadRowsMet = `
  select (coalesce(own.threshold, current_setting('autovacuum_vacuum_threshold')::float8)
    + coalesce(own.factor, current_setting('autovacuum_vacuum_scale_factor')::float8) * c.reltuples
    + $1::float8 * extract(epoch from current_setting('autovacuum_naptime')::interval))::integer as rows
  from pg_class c, lateral (
    select max(option_value::float8) filter (where option_name = 'autovacuum_vacuum_threshold') as threshold,
      max(option_value::float8) filter (where option_name = 'autovacuum_vacuum_scale_factor') as factor
    from pg_options_to_table(c.reloptions)) own
  where c.oid = 'queue'::regclass`;
