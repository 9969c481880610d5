/**
 * Fails jobs to which nothing has happened for long, and that no living worker serves: a person who waits for one is told,
 * and may start another. A job that waits behind others, or for a limit, is not touched: its time will come.
 */
import type { Clock } from "../db/clock.ts";
import type { Database } from "../db/database.ts";
import type { Hints } from "../db/hints.ts";
import { sql } from "../db/sql.ts";
import type { Enqueuer } from "./enqueue.ts";
import type { EngineObserver } from "./happenings.ts";
import { jobFailed } from "./job-events.ts";
import { writeJobs } from "./queries/write-jobs.ts";
import { topicsOf } from "./topics.ts";

export interface AbandonOptions {
  kinds: readonly string[];
  olderThanMs: number;
}

interface AbandonParts {
  db: Database;
  clock: Clock;
  hints: Hints;
  createFollowUps: Enqueuer["createFollowUps"];
  observe?: EngineObserver;
}

const error = {
  code: "NOT_STARTED",
  message: "Job interrupted (no heartbeat since it began to wait): no running worker serves its kind.",
  retryable: true,
};

export async function abandonUnstarted(
  { db, clock, hints, createFollowUps, observe }: AbandonParts,
  { kinds, olderThanMs }: AbandonOptions,
): Promise<number> {
  const now = clock.now();
  const longAgo = sql`${now} - ${olderThanMs}::double precision * interval '1 ms'`;
  let topics: string[] = [];
  const written = await db.transaction(async (tx) => {
    const jobs = await tx.query<{ id: string }>(sql`
      select j.id from jobs j
      where j.status = 'pending' and j.kind = any (${kinds}::text[]) and j.run_at < ${longAgo} and j.created_at < ${longAgo}
        -- One that a worker handed back when it shut down was heard of then.
        and not exists (select from events e where e.stream_id = j.id and e.number = j.last_event and e.created_at >= ${longAgo})
        and not exists (select from workers w
          where j.kind = any (w.kinds) and w.lost_at is null and not w.stopping and w.lease_expires_at > ${now})
      order by j.id for no key update skip locked`);
    if (jobs.length === 0) return [];
    const writes = jobs.map(({ id }) => ({
      jobId: id,
      lease: null,
      was: "pending" as const,
      change: { transition: "abandon" as const, error },
      events: [jobFailed(error, 1, 0)],
    }));
    const failed = await writeJobs(tx, writes, { clock });
    topics = await createFollowUps(tx, [], failed);
    return failed;
  });
  hints.publish([...topicsOf(written), ...topics]);
  observe?.({ type: "written", jobs: written });
  return written.length;
}
