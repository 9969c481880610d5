/**
 * Takes part in periodic work: looks every now and then whether something is due that nobody is doing, and does it. Any
 * number of processes do so; the database says whose turn it is.
 */
import { setTimeout as delay } from "node:timers/promises";
import { type Clock, databaseClock } from "../db/clock.ts";
import { isConnectionError, type Queryable, sqlState } from "../db/database.ts";
import type { Logger } from "../logger.ts";
import type { PeriodicHappening, PeriodicTask } from "./periodic-task.ts";
import { runTurn } from "./run-turn.ts";
import { registerTasks, takeTurn } from "./turns.ts";

export interface PeriodicWorkOptions {
  /** For taking and renewing turns: connections that the work itself cannot use up. */
  db: Queryable;
  tasks: readonly PeriodicTask[];
  /** Who this process is, to people. */
  holder: string;
  logger: Logger;
  observe?: (happening: PeriodicHappening) => void;
  /** How often to look. */
  lookMs?: number;
  rightMs?: number;
  clock?: Clock;
}

export interface PeriodicWork {
  /** Breaks off what is under way and hands it on. */
  stop(): Promise<void>;
}

export const periodicRightMs = 60_000;
const periodicLookMs = 15_000;
/** One that takes long must not keep all others waiting; more would only compete with the jobs. */
const atOnce = 2;
const undefinedTable = "42P01";

export function startPeriodicWork(options: PeriodicWorkOptions): PeriodicWork {
  const { db, tasks, holder, logger, observe } = options;
  const { lookMs = periodicLookMs, rightMs = periodicRightMs, clock = databaseClock } = options;
  const byName = new Map(tasks.map((task) => [task.name, task]));
  const stopping = new AbortController();
  const { signal: stop } = stopping;
  let registered: Promise<void> | undefined;

  const lanes = Array.from({ length: atOnce }, async () => {
    while (!stop.aborted) {
      const worked = await workOnce().catch(tellFailure);
      // Not all at the same moment: whoever looks at another time finds what a killed process left.
      const restMs = lookMs * (0.75 + Math.random() / 2);
      if (!worked) await delay(restMs, undefined, { signal: stop, ref: false }).catch(() => undefined);
    }
  });

  async function workOnce(): Promise<boolean> {
    registered ??= registerTasks(db, tasks, clock).catch((error: unknown) => {
      registered = undefined;
      throw error;
    });
    await registered;
    const turn = stop.aborted ? undefined : await takeTurn(db, [...byName.keys()], holder, { clock, rightMs });
    const task = turn && byName.get(turn.task);
    if (!task) return false;
    await runTurn({ db, task, turn, logger, stop, observe, clock, rightMs });
    return true;
  }

  function tellFailure(error: unknown): boolean {
    // While an upgrade is under way the table may not be there yet; it will be.
    if (!isConnectionError(error) && sqlState(error) !== undefinedTable) {
      logger.warn({ err: error }, "looking for periodic work failed");
    }
    return false;
  }

  return {
    async stop() {
      stopping.abort();
      await Promise.all(lanes);
    },
  };
}
