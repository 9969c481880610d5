/**
 * What the crash test keeps beside the engine's tables, in a schema of its own: the effects of commits, the calls that
 * were paid for, and, written by triggers in the engine's own transactions, the history of every state and counter.
 * Whoever changes a row holds it locked, so the numbers of a row's history are in the order of its changes.
 */
import type { Queryable } from "../db/database.ts";
import { sql } from "../db/sql.ts";

const statements = [
  sql`create schema crash`,
  sql`create table crash.effects (
    number bigint generated always as identity, job_id uuid not null, lease integer not null, stage text not null, item text not null,
    pid integer not null, at timestamptz not null default clock_timestamp(), status_then text, lease_then integer)`,
  sql`create table crash.calls (
    number bigint generated always as identity, key text not null, pid integer not null, at timestamptz not null default clock_timestamp())`,
  sql`create table crash.job_history (
    number bigint generated always as identity, tx xid8 not null default pg_current_xact_id(), job_id uuid not null, kind text not null,
    batch_id uuid, limit_name text, was text, became text not null, lease integer not null, worker_id uuid,
    at timestamptz not null default clock_timestamp())`,
  sql`create index on crash.job_history (job_id)`,
  sql`create index on crash.job_history (tx)`,
  sql`create table crash.batch_history (
    number bigint generated always as identity, batch_id uuid not null, was text not null, became text not null,
    active integer not null, at timestamptz not null default clock_timestamp())`,
  sql`create table crash.counter_history (
    number bigint generated always as identity, tx xid8 not null default pg_current_xact_id(), counter text not null,
    was integer not null, became integer not null, max integer not null, at timestamptz not null default clock_timestamp())`,
  sql`create table crash.ledger_history (
    number bigint generated always as identity, key text not null, change text not null, at timestamptz not null default clock_timestamp())`,

  sql`create function crash.see_effect() returns trigger language plpgsql as $$
    begin
      select status, lease into new.status_then, new.lease_then from public.jobs where id = new.job_id;
      return new;
    end $$`,
  sql`create trigger see before insert on crash.effects for each row execute function crash.see_effect()`,

  sql`create function crash.see_job() returns trigger language plpgsql as $$
    declare
      was text := case when tg_op = 'UPDATE' then old.status end;
    begin
      -- One that was claimed ahead may be started and ended by one write.
      if was = 'pending' and new.lease > old.lease and new.status <> 'running' then
        insert into crash.job_history (job_id, kind, was, became, lease) values (new.id, new.kind, was, 'running', new.lease);
        was := 'running';
      end if;
      insert into crash.job_history (job_id, kind, batch_id, limit_name, was, became, lease, worker_id)
      values (new.id, new.kind, new.batch_id, coalesce(new.limit_name, case when tg_op = 'UPDATE' then old.limit_name end),
        was, new.status, new.lease, new.worker_id);
      return null;
    end $$`,
  sql`create trigger see_new after insert on jobs for each row execute function crash.see_job()`,
  sql`create trigger see_change after update on jobs for each row
    when (old.status <> new.status or old.lease <> new.lease) execute function crash.see_job()`,

  sql`create function crash.see_batch() returns trigger language plpgsql as $$
    begin
      insert into crash.batch_history (batch_id, was, became, active)
      values (new.id, old.status, new.status, new.total_jobs - new.completed_jobs - new.failed_jobs - new.cancelled_jobs);
      return null;
    end $$`,
  sql`create trigger see_change after update on batches for each row when (old.status <> new.status) execute function crash.see_batch()`,

  sql`create function crash.see_limit() returns trigger language plpgsql as $$
    begin
      insert into crash.counter_history (counter, was, became, max) values ('limit ' || new.name, old.running, new.running, new.max_running);
      return null;
    end $$`,
  sql`create trigger see_change after update on job_limits for each row when (old.running <> new.running) execute function crash.see_limit()`,

  sql`create function crash.see_turn() returns trigger language plpgsql as $$
    begin
      insert into crash.counter_history (counter, was, became, max)
      values ('batch ' || new.batch_id || ' ' || new.kind, old.running, new.running, new.max_running);
      return null;
    end $$`,
  sql`create trigger see_change after update on batch_turns for each row when (old.running <> new.running) execute function crash.see_turn()`,

  sql`create function crash.see_ledger() returns trigger language plpgsql as $$
    begin
      insert into crash.ledger_history (key, change) values (coalesce(new.key, old.key), case
        when tg_op = 'DELETE' then case when old.answered_at is null then 'given up' else 'answer removed' end
        when tg_op = 'UPDATE' and old.answered_at is not null then 'answer changed'
        when new.answered_at is not null then 'answered'
        else 'reserved' end);
      return null;
    end $$`,
  sql`create trigger see after insert or update or delete on ledger for each row execute function crash.see_ledger()`,
];

export async function createCrashTables(db: Queryable): Promise<void> {
  for (const statement of statements) await db.query(statement);
}
