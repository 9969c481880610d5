/** All periodic work, one task after the other, whether it is due or not. What another process is just doing is left to it. */
import { databaseClock } from "../db/clock.ts";
import type { Queryable } from "../db/database.ts";
import type { Logger } from "../logger.ts";
import type { PeriodicTask } from "./periodic-task.ts";
import { readPeriodicWork } from "./read-periodic-work.ts";
import { runTurn } from "./run-turn.ts";
import { periodicRightMs } from "./start-periodic-work.ts";
import { registerTasks, takeTurn } from "./turns.ts";

export interface RunAllOptions {
  db: Queryable;
  tasks: readonly PeriodicTask[];
  holder: string;
  logger: Logger;
  stop: AbortSignal;
  /** Changes nothing, and counts what would be removed. */
  dryRun: boolean;
}

export type TaskResult =
  | { task: string; result: "done"; removed: number }
  | { task: string; result: "failed"; error: string }
  | { task: string; result: "busy"; holder: string | null }
  | { task: string; result: "stopped" };

export async function runAllNow(options: RunAllOptions): Promise<TaskResult[]> {
  const { db, tasks, stop, dryRun } = options;
  if (!dryRun) await registerTasks(db, tasks, databaseClock);
  const results: TaskResult[] = [];
  for (const task of tasks) {
    if (stop.aborted) results.push({ task: task.name, result: "stopped" });
    else results.push(dryRun ? await countFor(task, stop) : await runNow(task, options));
  }
  return results;
}

async function countFor(task: PeriodicTask, signal: AbortSignal): Promise<TaskResult> {
  try {
    const removed = await task.run({ signal, dryRun: true });
    return signal.aborted ? { task: task.name, result: "stopped" } : { task: task.name, result: "done", removed };
  } catch (error) {
    return { task: task.name, result: "failed", error: messageOf(error) };
  }
}

async function runNow(task: PeriodicTask, { db, holder, logger, stop }: RunAllOptions): Promise<TaskResult> {
  const terms = { clock: databaseClock, rightMs: periodicRightMs };
  const turn = await takeTurn(db, [task.name], holder, terms, { early: true });
  if (!turn) return { task: task.name, result: "busy", holder: await readHolder(db, task.name) };
  const end = await runTurn({ db, task, turn, logger, stop, ...terms });
  switch (end.type) {
    case "finished":
      return { task: task.name, result: "done", removed: end.removed };
    case "failed":
      return { task: task.name, result: "failed", error: messageOf(end.error) };
    case "lost":
      return { task: task.name, result: "busy", holder: await readHolder(db, task.name) };
    case "stopped":
      return { task: task.name, result: "stopped" };
  }
}

async function readHolder(db: Queryable, task: string): Promise<string | null> {
  const [state] = await readPeriodicWork(db, [task], databaseClock);
  return state?.holder ?? null;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
