-- What waits is kept apart from what is known of it.
--
-- A claim changed the row of every job it took, and with it an entry in each of the table's indexes: half of what a job
-- that does nothing cost the database. Now a waiting job has a narrow row in `queue` with all that a worker needs to
-- know; a claim takes that away. The job's own row is written when it is started, and for a job that was taken ahead of
-- its start and is over at once, never before its end.

-- The jobs that wait and belong to no batch, in the order they are claimed in: one row each, never updated. (Jobs of
-- batches wait in `jobs` itself, where `batch_turns` leads to them.)
create table queue (
  kind          text not null,
  priority      smallint not null,
  run_at        timestamptz not null,
  job_id        uuid not null,
  -- As they stand in the job's row while it waits.
  lease         integer not null default 0,
  attempts      smallint not null default 0,
  max_attempts  smallint not null,
  last_event    integer not null default 0,
  parent_id     uuid,
  -- Null where it is too large to be written twice: then it is read from the job's row.
  input         jsonb
) with (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000);
-- Every job leaves a dead row and its index entry at the head of the queue, where every claim begins: vacuumed this
-- often, few of them lie there however many wait.

create unique index queue_order on queue (kind, priority desc, run_at, job_id);

-- What a worker has claimed ahead of its free slots: one row for each claim, not one for each job. The jobs in it are
-- pending and in no queue; each is taken out by the first write that is made for it, which raises its lease. So an entry
-- counts while its job is pending under the lease that stands here, and the row is of no use once none does.
create table holds (
  id          uuid primary key,
  worker_id   uuid not null,
  job_ids     uuid[] not null,
  leases      integer[] not null,
  claimed_at  timestamptz not null
);

-- Two thousand ids are written often and read never, but after a crash: packing them took 4 % of the database's time.
alter table holds alter column job_ids set storage external, alter column leases set storage external;

insert into queue (kind, priority, run_at, job_id, lease, attempts, max_attempts, last_event, parent_id, input)
  select kind, priority, run_at, id, lease, attempts, max_attempts, last_event, parent_id,
    case when pg_column_size(input) <= 1000 then input end
  from jobs where status = 'pending' and batch_id is null;

drop index jobs_waiting;
