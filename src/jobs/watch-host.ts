/**
 * For a process that runs no jobs itself: sees when a worker on the same host is gone, and has its jobs taken back at once
 * instead of when its lease ends. A worker does the same for its neighbours.
 */
import { type Database, isConnectionError } from "../db/database.ts";
import { sql } from "../db/sql.ts";
import type { Logger } from "../logger.ts";
import type { Engine } from "./engine.ts";
import { isGone, type ProcessIdentity, thisProcess } from "./process-identity.ts";
import { rescueLostJobs } from "./rescue-lost-jobs.ts";
import { createTimers } from "./timers.ts";

export interface WatchHostOptions {
  engine: Pick<Engine, "clock" | "hints" | "createFollowUps" | "observe">;
  /** Connections that requests cannot use up. */
  control: Database;
  everyMs: number;
  logger: Logger;
}

export interface HostWatch {
  stop(): Promise<void>;
}

export function watchHost({ engine, control, everyMs, logger }: WatchHostOptions): HostWatch {
  const here = thisProcess();
  const timers = createTimers();
  let looking: Promise<void> = Promise.resolve();
  const start = () => {
    looking = look().catch((error: unknown) => {
      if (!isConnectionError(error)) logger.warn({ err: error }, "looking for workers that are gone failed");
    });
    return looking;
  };
  void start();
  timers.every(everyMs, start);
  return {
    stop() {
      timers.stop();
      return looking;
    },
  };

  async function look(): Promise<void> {
    const workers = await control.query<ProcessIdentity & { id: string }>(sql`
      select id, host, boot_id, pid_namespace, pid, process_started from workers
      where boot_id = ${here.bootId} and pid_namespace = ${here.pidNamespace} and lost_at is null`);
    const gone = workers.filter((worker) => isGone(worker, here)).map(({ id }) => id);
    if (gone.length === 0) return;
    const { clock, hints, createFollowUps, observe } = engine;
    const jobs = await rescueLostJobs({ db: control, clock, hints, createFollowUps, observe, gone });
    if (jobs > 0) logger.info({ jobs }, "jobs of lost workers taken back");
  }
}
