/**
 * Limits are never exceeded. Sampling alone could miss it; the history cannot: every transaction has moved each counter
 * by exactly the jobs it started and ended, and no counter was ever above its limit.
 */
import { sql } from "../../db/sql.ts";
import { type Check, find } from "./evidence.ts";

export const checkLimits: Check = async ({ db, exceeded }) => [
  { promise: "no snapshot shows a limit or a lock key exceeded", violations: [...exceeded] },
  {
    promise: "no counter was ever above its limit or below zero",
    violations: await find(
      db,
      sql`select format('%s went from %s to %s at %s, of %s allowed', counter, was, became, at, max) as what
        from crash.counter_history where became > greatest(max, was) or became < 0`,
    ),
  },
  {
    promise: "counters move with the jobs they count, transaction by transaction",
    violations: await find(
      db,
      sql`with moved as (
          select tx, counter, sum(became - was) as by from crash.counter_history group by tx, counter),
        counted as (
          select tx, counter, sum((became = 'running')::integer - (was = 'running')::integer) as by, array_agg(job_id) as jobs
          from (
            select *, 'limit ' || limit_name as counter from crash.job_history where limit_name is not null
            union all
            select *, 'batch ' || batch_id || ' ' || kind from crash.job_history where batch_id is not null) h
          where was is not null group by tx, counter)
        select format('transaction %s moved "%s" by %s, the jobs it moved make %s: %s', tx, counter, coalesce(m.by, 0), coalesce(c.by, 0), c.jobs) as what
        from moved m full join counted c using (tx, counter) where coalesce(m.by, 0) <> coalesce(c.by, 0)`,
    ),
  },
  {
    promise: "counters equal the rows in the end",
    violations: await find(
      db,
      sql`select format('limit %s counts %s running, there are %s', name, l.running, counted) as what
        from (select l.*, (select count(*) from jobs j where j.limit_name = l.name and j.status = 'running') as counted from job_limits l) l
        where l.running <> counted
        union all
        select format('batch %s counts %s of kind %s running, there are %s', batch_id, t.running, kind, counted)
        from (select t.*, (select count(*) from jobs j where j.batch_id = t.batch_id and j.kind = t.kind and j.status = 'running') as counted from batch_turns t) t
        where t.running <> counted`,
    ),
  },
];
