/**
 * A running job whose lease has expired is never shown: whoever reads jobs calls this first. It costs one look at the
 * workers' rows; only when a worker is lost and still has jobs is anything written.
 */
import type { Clock } from "../db/clock.ts";
import type { Database } from "../db/database.ts";
import type { Hints } from "../db/hints.ts";
import { sql } from "../db/sql.ts";
import type { Enqueuer } from "./enqueue.ts";
import type { EngineObserver } from "./happenings.ts";
import type { Registry } from "./registry.ts";
import { rescueLostJobs } from "./rescue-lost-jobs.ts";
import { holdsJobs } from "./worker-lease.ts";

/** What reading jobs needs of an engine. */
export interface JobSource {
  db: Database;
  clock: Clock;
  hints: Hints;
  registry: Registry;
  createFollowUps: Enqueuer["createFollowUps"];
  observe?: EngineObserver;
}

/** Someone else may be taking the same jobs back and hold the worker's row: that is waited for, but not for ever. */
const tries = 50;
const waitMs = 20;

export async function rescueBeforeReading({ db, clock, hints, createFollowUps, observe }: JobSource): Promise<void> {
  for (let attempt = 0; attempt < tries; attempt++) {
    const [lost] = await db.query(sql`
      select from workers w
      where (w.lost_at is not null or w.lease_expires_at < ${clock.now()})
        and ${holdsJobs}
      limit 1`);
    if (!lost) return;
    if (attempt > 0) await clock.wait(waitMs);
    await rescueLostJobs({ db, clock, hints, createFollowUps, observe });
  }
}
