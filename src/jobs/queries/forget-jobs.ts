/**
 * What goes with a job when it is removed: checkpoints, items, errors, events, its spending, and what its idempotency key
 * led to. The answers in the ledger stay: they are anyone's.
 */
import { type Sql, sql } from "../../db/sql.ts";

/**
 * Parts of a WITH that remove these jobs and everything of theirs; `gone_jobs` has the ids of those removed. Whoever uses
 * it has locked the jobs, and knows that they have ended.
 *
 * @example sql`with due as (…), ${forgettingJobs(sql`select id from due`)} select count(*) from gone_jobs`
 */
export function forgettingJobs(ids: Sql): Sql {
  return sql`
    gone_stages as (delete from job_stages where job_id in (${ids})),
    gone_items as (delete from job_items where job_id in (${ids})),
    gone_errors as (delete from job_errors where job_id in (${ids})),
    gone_uses as (delete from ledger_uses where job_id in (${ids})),
    gone_keys as (delete from idempotency_keys where job_id in (${ids})),
    gone_events as (delete from event_rows where stream_id in (${ids})),
    gone_jobs as (delete from jobs where id in (${ids}) returning id)`;
}
