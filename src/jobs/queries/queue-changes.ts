/** The part of write-jobs that concerns the queue, where jobs without a batch wait: who comes back to it, and who leaves it. */
import { sql } from "../../db/sql.ts";
import { longestQueuedInput } from "./insert-jobs.ts";

/** Those that wait again, as their rows are now. */
export const enterQueueAgain = sql`,
    queued as (
      insert into queue (kind, priority, run_at, job_id, lease, attempts, max_attempts, last_event, parent_id, input)
      select kind, priority, run_at, job_id, current_lease, attempt, max_attempts, last_event + event_count, parent_id,
        case when pg_column_size(input) <= ${longestQueuedInput}::integer then input end
      from held where to_state = 'pending' and batch_id is null
    )`;

/** Those that end without having been claimed. One that a worker has taken ahead is not there any more. */
export const leaveQueue = sql`,
    unqueued as (
      delete from queue q using held h
      where h.was = 'pending' and h.to_state <> 'pending' and h.batch_id is null
        and q.kind = h.kind and q.priority = h.priority and q.run_at = h.run_at and q.job_id = h.job_id
      returning q.job_id
    )`;
