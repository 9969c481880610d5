/** One turn of a task: renewed while the work goes on, broken off when it is lost, and its outcome written if it is not. */
import type { Clock } from "../db/clock.ts";
import { isConnectionError, type Queryable } from "../db/database.ts";
import type { Logger } from "../logger.ts";
import type { PeriodicEnd, PeriodicHappening, PeriodicTask } from "./periodic-task.ts";
import { finishTurn, giveTurnBack, renewTurn, type Turn, type TurnTerms } from "./turns.ts";

export interface RunTurnOptions extends TurnTerms {
  db: Queryable;
  task: PeriodicTask;
  turn: Turn;
  logger: Logger;
  /** Aborts when the process is told to stop. */
  stop: AbortSignal;
  observe?: (happening: PeriodicHappening) => void;
}

/** How a turn ended: as `observe` is told it, or handed back because the process stops. */
export type TurnEnd = PeriodicEnd | { type: "stopped"; task: string; turn: number };

/** A task that failed is tried again sooner than it would come round. */
const longestRetryMs = 5 * 60_000;
const renewalsPerRight = 4;

export async function runTurn(options: RunTurnOptions): Promise<TurnEnd> {
  const { task, turn, logger, observe = () => undefined } = options;
  const named = { task: task.name, turn: turn.number };
  observe({ type: "taken", ...named });
  const startedAt = performance.now();
  const durationMs = () => performance.now() - startedAt;
  const end = await holdTurn(options, async (signal): Promise<TurnEnd> => {
    try {
      const removed = await task.run({ signal, dryRun: false });
      return { type: "finished", ...named, durationMs: durationMs(), removed };
    } catch (error) {
      return { type: "failed", ...named, durationMs: durationMs(), error };
    }
  });
  if (end.type === "finished" && end.removed > 0) logger.info({ ...named, removed: end.removed }, "periodic work done");
  if (end.type === "failed") logger.warn({ err: end.error, ...named }, "periodic work failed");
  if (end.type === "lost") logger.warn(named, "periodic work was taken over by another process");
  if (end.type !== "stopped") observe(end);
  return end;
}

async function holdTurn(options: RunTurnOptions, work: (signal: AbortSignal) => Promise<TurnEnd>): Promise<TurnEnd> {
  const { db, task, turn, stop, clock } = options;
  const named = { task: task.name, turn: turn.number };
  const lost = new AbortController();
  const ended = new AbortController();
  const renewing = keepRenewing(options, ended.signal).then((held) => held || lost.abort());
  const end = await work(AbortSignal.any([stop, lost.signal]));
  ended.abort();
  await renewing;
  if (lost.signal.aborted) return { type: "lost", ...named };
  if (stop.aborted) {
    // Without a database the right runs out by itself.
    await giveTurnBack(db, turn).catch(() => undefined);
    return { type: "stopped", ...named };
  }
  return (await writeOutcome(db, task, turn, end, clock)) ? end : { type: "lost", ...named };
}

/** Renews until `ended` aborts. False: the turn is another's, or may be, for all this process could find out. */
async function keepRenewing(options: RunTurnOptions, ended: AbortSignal): Promise<boolean> {
  const { db, turn, clock, rightMs, logger } = options;
  let heldSince = performance.now();
  for (;;) {
    await clock.wait(rightMs / renewalsPerRight, ended);
    if (ended.aborted) return true;
    const askedAt = performance.now();
    try {
      if (!(await renewTurn(db, turn, options))) return false;
      heldSince = askedAt;
    } catch (error) {
      if (!isConnectionError(error)) logger.warn({ err: error, task: turn.task }, "renewing periodic work failed");
      if (performance.now() - heldSince > rightMs) return false;
    }
  }
}

async function writeOutcome(db: Queryable, task: PeriodicTask, turn: Turn, end: TurnEnd, clock: Clock) {
  const removed = end.type === "finished" ? end.removed : null;
  const error = end.type === "failed" ? describe(end.error) : null;
  const againMs = error === null ? task.everyMs : Math.min(task.everyMs, longestRetryMs);
  try {
    return await finishTurn(db, turn, { removed, error, againMs }, clock);
  } catch {
    // The right runs out, and the work is done once more.
    return false;
  }
}

const longestError = 1_000;

function describe(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.replaceAll("\0", "").slice(0, longestError);
}
