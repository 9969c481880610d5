-- The engine: workers with their leases, jobs, checkpoints, events, batches, limits and the spend ledger.
--
-- Two things shape these tables. Every change of a job locks its row first, so what is written under that lock needs no
-- lock of its own (stages, items, errors, events) and no foreign key back. And a row that a worker touches often is kept
-- small: a worker's heartbeat is one row per process, not one per job.

create table workers (
  id                uuid primary key,
  host              text not null,
  -- Together these say whether the process still exists, to any other process that can see the same /proc.
  boot_id           text not null,
  pid_namespace     text not null,
  pid               integer not null,
  process_started   text not null,
  version           text not null,
  kinds             text[] not null,
  slots             integer not null,
  started_at        timestamptz not null default now(),
  heartbeat_at      timestamptz not null default now(),
  lease_expires_at  timestamptz not null,
  stopping          boolean not null default false,
  -- Set when others have taken its jobs back. It never claims again under this id.
  lost_at           timestamptz,
  -- Measured by the worker: {"<kind>": {"jobs": n, "meanMs": ms}}; the source of every ETA.
  durations         jsonb not null default '{}'
);

create index workers_same_host on workers (boot_id, pid_namespace);

create table batches (
  id              uuid primary key,
  kind            text not null,
  data            jsonb not null default '{}',
  status          text not null default 'pending'
                  check (status in ('pending', 'running', 'completed', 'partial', 'failed', 'cancelled')),
  total_jobs      integer not null default 0,
  completed_jobs  integer not null default 0,
  failed_jobs     integer not null default 0,
  cancelled_jobs  integer not null default 0,
  last_event      integer not null default 0,
  created_at      timestamptz not null default now(),
  started_at      timestamptz,
  completed_at    timestamptz,
  check (completed_jobs >= 0 and failed_jobs >= 0 and cancelled_jobs >= 0),
  check (completed_jobs + failed_jobs + cancelled_jobs <= total_jobs)
);

create table jobs (
  id                   uuid primary key,
  kind                 text not null,
  status               text not null default 'pending'
                       check (status in ('pending', 'running', 'completed', 'failed', 'cancelled')),
  priority             smallint not null default 0,
  run_at               timestamptz not null default now(),
  batch_id             uuid references batches (id),
  sequence             integer,
  parent_id            uuid,
  lock_key             text,
  limit_name           text,
  input                jsonb not null,
  result               jsonb,
  attempts             smallint not null default 0,
  max_attempts         smallint not null,
  when_lost            text not null check (when_lost in ('retry', 'fail')),
  -- The fencing token: one higher with every claim. Who writes for the job must name the current one.
  lease                integer not null default 0,
  worker_id            uuid,
  created_at           timestamptz not null default now(),
  started_at           timestamptz,
  completed_at         timestamptz,
  total_items          integer,
  completed_items      integer not null default 0,
  failed_items         integer not null default 0,
  current_item         text,
  last_completed_item  text,
  message              text,
  detail               jsonb,
  error_code           text,
  error_message        text,
  last_event           integer not null default 0,
  check ((status = 'running') = (worker_id is not null)),
  check ((status in ('completed', 'failed', 'cancelled')) = (completed_at is not null)),
  check ((status = 'failed') = (error_message is not null)),
  check ((status = 'failed') = (error_code is not null)),
  check (total_items is null or completed_items + failed_items <= total_items)
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000);
-- Every job leaves two dead rows and their index entries at the head of the queue, where every claim begins. Measured
-- after 18,000 jobs: half again as many pages a claim. Vacuumed this often, it stays there however large the table is.

-- A claim walks these in order and stops after what it needs, whatever else the table holds.
create index jobs_waiting on jobs (kind, priority desc, run_at, id) where status = 'pending' and batch_id is null;
create index jobs_waiting_in_batch on jobs (batch_id, kind, run_at, sequence) where status = 'pending' and batch_id is not null;
create index jobs_running on jobs (worker_id) where status = 'running';
-- What lists and counts by state and kind read, newest first. One partial index a state: a job is entered once when it
-- is created and once when it has ended, and a claim enters it nowhere. Measured on 200 jobs a statement: each costs the
-- table about 108 bytes of 1,090 of WAL a job; one over all states, (kind, id), 280 bytes. Without them a page of
-- completed jobs behind a backlog of 150,000 reads the whole backlog (165 ms).
create index jobs_pending on jobs (kind, id) where status = 'pending';
create index jobs_completed on jobs (kind, id) where status = 'completed';
create index jobs_failed on jobs (kind, id) where status = 'failed';
create index jobs_cancelled on jobs (kind, id) where status = 'cancelled';
-- What ended lately, and what ended long ago. Jobs end about in the order they lie in, so a summary of each stretch of
-- the table is enough; a write to a stretch that is not summarized yet costs nothing.
create index jobs_ended on jobs using brin (completed_at);
create index jobs_of_batch on jobs (batch_id, sequence) where batch_id is not null;
create index jobs_of_parent on jobs (parent_id) where parent_id is not null;
create unique index jobs_one_active_per_lock_key on jobs (lock_key) where lock_key is not null and status in ('pending', 'running');

-- A batch's place in the queue of one kind: how many of its jobs run, how many may, and when its next turn is.
-- A turn taken sets turn_at to the present, behind everyone who has waited longer: that is the whole of the fairness.
create table batch_turns (
  kind         text not null,
  batch_id     uuid not null references batches (id) on delete cascade,
  priority     smallint not null default 0,
  max_running  integer not null,
  running      integer not null default 0,
  -- Its next turn; null when nothing waits.
  turn_at      timestamptz,
  -- A claim found nothing to start here. It may have looked at the past, so someone who holds the row looks again.
  looked_empty boolean not null default false,
  primary key (batch_id, kind),
  check (running >= 0 and running <= max_running)
) with (fillfactor = 50);

create index batch_turns_next on batch_turns (kind, priority desc, turn_at) where turn_at is not null and running < max_running;
create index batch_turns_looked_empty on batch_turns (batch_id, kind) where looked_empty;

-- Limits over all processes, each named by the pipelines that share it.
create table job_limits (
  name         text primary key,
  max_running  integer not null,
  running      integer not null default 0,
  check (running >= 0)
) with (fillfactor = 50);

create table job_stages (
  job_id       uuid not null,
  name         text not null,
  lease        integer not null,
  output       jsonb,
  started_at   timestamptz not null,
  finished_at  timestamptz not null,
  primary key (job_id, name)
);

create table job_items (
  job_id       uuid not null,
  stage        text not null,
  key          text not null,
  done         boolean not null,
  lease        integer not null,
  output       jsonb,
  error        jsonb,
  finished_at  timestamptz not null,
  primary key (job_id, stage, key),
  check (done = (error is null))
);

create table job_errors (
  job_id      uuid not null,
  lease       integer not null,
  attempt     smallint not null,
  code        text not null,
  message     text not null,
  retryable   boolean not null,
  stage       text,
  worker_id   uuid,
  created_at  timestamptz not null,
  primary key (job_id, lease)
);

-- Numbered 1, 2, 3 … within a stream (a job's id or a batch's), never with a gap: the number comes from the last_event
-- of the stream's own row, which whoever appends holds locked.
create table events (
  stream_id   uuid not null,
  number      integer not null,
  type        text not null,
  data        jsonb not null,
  created_at  timestamptz not null,
  primary key (stream_id, number)
);

create table idempotency_keys (
  key           text primary key,
  request_hash  text not null,
  job_id        uuid,
  batch_id      uuid,
  created_at    timestamptz not null default now()
);

-- Answers already paid for. A row without an answer is a call under way, by the worker named.
create table ledger (
  key          text primary key,
  provider     text not null,
  model        text not null,
  caller       uuid not null,
  answer       jsonb,
  tokens_in    integer,
  tokens_out   integer,
  cost_micros  bigint,
  created_at   timestamptz not null default now(),
  answered_at  timestamptz
);

create table ledger_uses (
  job_id  uuid not null,
  key     text not null references ledger (key),
  paid    integer not null default 0,
  hits    integer not null default 0,
  primary key (job_id, key)
);

create index ledger_uses_of_key on ledger_uses (key);
