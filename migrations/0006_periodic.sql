-- Periodic work, and what removing old rows needs to find them.
--
-- A turn of a task belongs to whoever has the highest number, for as long as that process renews it. What it came to is
-- written under that number or not at all, so a holder that was stopped and comes back changes nothing.
create table periodic_tasks (
  name              text primary key,
  due_at            timestamptz not null default now(),
  -- The fencing token: one higher with every turn that is taken.
  turn              integer not null default 0,
  -- Who is at it, as "host (pid 123)", since when, and until when that counts without a sign of life.
  holder            text,
  taken_at          timestamptz,
  held_until        timestamptz,
  -- What came of the last turn that came to an end.
  last_holder       text,
  last_finished_at  timestamptz,
  last_duration_ms  integer,
  last_removed      integer,
  last_error        text,
  -- Turns in a row that ended with an error.
  failures          integer not null default 0,
  check ((holder is null) = (held_until is null) and (holder is null) = (taken_at is null))
);

-- Who removes a job or a batch removes what its key led to.
create index idempotency_keys_of_job on idempotency_keys (job_id) where job_id is not null;
create index idempotency_keys_of_batch on idempotency_keys (batch_id) where batch_id is not null;
-- Answers from the oldest on.
create index ledger_by_age on ledger (created_at, key);
