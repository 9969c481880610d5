/** Work that comes round again and again, on one process at a time. */

export interface TurnContext {
  /** Aborts when the process stops, or when the turn is no longer this process's. */
  signal: AbortSignal;
  /** Changes nothing, and counts what would be removed. */
  dryRun: boolean;
}

/**
 * A turn MAY be broken off at any instant and done again by another process, and a holder that was stopped MAY wake up
 * while the next one is at it: what a task does SHALL be safe to repeat and to do twice at once. It SHALL stop soon after
 * its signal aborts.
 */
export interface PeriodicTask {
  name: string;
  /** From the end of one turn to the next. */
  everyMs: number;
  /** Answers how many things were removed, or otherwise done. */
  run(context: TurnContext): Promise<number>;
}

/** How a turn ended. */
export type PeriodicEnd =
  | { type: "finished"; task: string; turn: number; durationMs: number; removed: number }
  | { type: "failed"; task: string; turn: number; durationMs: number; error: unknown }
  /** The right ran out and someone else has the task: what was done is done, but the outcome is theirs to tell. */
  | { type: "lost"; task: string; turn: number };

/** What happens, for metrics and tests. */
export type PeriodicHappening = { type: "taken"; task: string; turn: number } | PeriodicEnd;
