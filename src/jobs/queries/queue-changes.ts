/** The part of write-jobs that concerns the queue, where jobs without a batch wait: who comes back to it, and who leaves it. */
import type { Queryable } from "../../db/database.ts";
import { type Sql, sql } from "../../db/sql.ts";
import { longestQueuedInput } from "./queue-entries.ts";

/** Those that wait again, as their rows are now. */
export const enterQueueAgain = sql`,
    queued as (
      insert into queue (kind, priority, run_at, first_id, last_id, jobs, lease, attempts, max_attempts, last_event, parent_id, job_ids, inputs)
      select kind, priority, run_at, job_id, job_id, 1, current_lease, attempt, max_attempts, last_event + event_count, parent_id, array[job_id],
        case when octet_length(input::text) <= ${longestQueuedInput}::integer then jsonb_build_array(input) end
      from held where to_state = 'pending' and batch_id is null
    )`;

/**
 * Those that end without having been claimed. One that a worker has taken ahead is not there any more. A claim may be
 * shortening the same entry: then this waits, and goes by what that has left. So it cannot know beforehand whether an entry
 * will be empty; `removeEmptied` comes after it.
 */
export const leaveQueue = sql`,
    leaving as materialized (
      select h.kind, h.priority, h.run_at, array_agg(h.job_id order by h.job_id) as ids
      from held h where h.was = 'pending' and h.to_state <> 'pending' and h.batch_id is null
      group by h.kind, h.priority, h.run_at
    ),
    unqueued as (
      update queue q set ${leftInEntry(sql`l.ids`)}
      from leaving l
      where q.kind = l.kind and q.priority = l.priority and q.run_at = l.run_at
        and q.first_id <= l.ids[cardinality(l.ids)] and q.last_id >= l.ids[1] and q.job_ids && l.ids
      returning q.first_id
    )`;

/** A statement of its own, after those that empty entries. It waits for nobody: who has one locked removes it too. */
export async function removeEmptied(db: Queryable): Promise<void> {
  await db.query(sql`
    delete from queue where ctid = any (array(select ctid from queue where jobs = 0 for update skip locked))`);
}

/** Assignments to entry `q`: what is left in it without these jobs. */
export function leftInEntry(ids: Sql): Sql {
  const left = sql`unnest(q.job_ids) with ordinality as u (id, nr) where u.id <> all (${ids})`;
  return sql`
        jobs = (select count(*) from ${left}),
        first_id = coalesce((select u.id from ${left} order by u.nr limit 1), q.first_id),
        job_ids = array(select u.id from ${left} order by u.nr),
        inputs = (select jsonb_agg(i.input order by i.nr) from jsonb_array_elements(q.inputs) with ordinality as i (input, nr)
          where q.job_ids[i.nr::integer] <> all (${ids}))`;
}
