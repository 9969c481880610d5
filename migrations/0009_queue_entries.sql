-- What was enqueued together waits together: one row of the queue for up to a hundred jobs, not one for each.
--
-- A claim locked and removed a row for every job it took: half of what was left of a job's cost in the database. Jobs that
-- are alike in all a worker needs to know but their inputs share a row now, and a claim that takes all of them removes
-- one. One that takes some leaves the others in it.
alter table queue rename to queue_before;
drop index queue_order;

create table queue (
  kind          text not null,
  priority      smallint not null,
  run_at        timestamptz not null,
  -- The least and the greatest of the ids in it: where one job's entry lies is known from its own row.
  first_id      uuid not null,
  last_id       uuid not null,
  -- How many. None only for the moment between the cancelling of the last one and the removal of the entry.
  jobs          integer not null,
  -- As they stand in the rows of the jobs while they wait.
  lease         integer not null default 0,
  attempts      smallint not null default 0,
  max_attempts  smallint not null,
  last_event    integer not null default 0,
  parent_id     uuid,
  -- Ascending.
  job_ids       uuid[] not null,
  -- In the same order; null where they are too large to be written twice: then they are read from the rows of the jobs.
  inputs        jsonb,
  check (jobs = cardinality(job_ids))
) with (toast_tuple_target = 8160, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000);
-- An entry fits on a page by its making, and is read as a whole once: nothing is gained by packing it. And each leaves a
-- dead row at the head of the queue, where every claim begins: vacuumed this often, few of them lie there.
alter table queue alter column job_ids set storage external, alter column inputs set storage external;

create index queue_order on queue (kind, priority desc, run_at, first_id, last_id);
create index queue_emptied on queue (first_id) where jobs = 0;

insert into queue (kind, priority, run_at, first_id, last_id, jobs, lease, attempts, max_attempts, last_event, parent_id, job_ids, inputs)
  select kind, priority, run_at, job_id, job_id, 1, lease, attempts, max_attempts, last_event, parent_id, array[job_id],
    case when input is not null then jsonb_build_array(input) end
  from queue_before;

drop table queue_before;
