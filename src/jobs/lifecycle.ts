/**
 * Every change of state a job can make, in one table. The SQL that writes `status` takes its conditions from here, the
 * CHECK constraint and the diagram in docs/architecture.md are compared with it by a test.
 */
import type { JobState } from "../contract/states.ts";
import { DocmillError } from "../errors.ts";

interface Transition {
  from: readonly JobState[];
  to: JobState;
}

export const transitions = {
  /** A worker takes the job: attempt + 1, new lease. */
  claim: { from: ["pending"], to: "running" },
  /** Its worker says it is done. */
  complete: { from: ["running"], to: "completed" },
  /** A terminal error, the attempts are used up, or the lease was lost and the pipeline says `fail`. */
  fail: { from: ["running"], to: "failed" },
  /** A retryable error with attempts left: it waits for its next turn without holding a slot. */
  backOff: { from: ["running"], to: "pending" },
  /** The lease was lost and the pipeline says `retry`. */
  lose: { from: ["running"], to: "pending" },
  /** It has waited for too long, and nobody is there who would start it. */
  abandon: { from: ["pending"], to: "failed" },
  /** The worker shuts down, or took more than it could start: handed back, the attempt not counted. */
  release: { from: ["running"], to: "pending" },
  /** A person stops it. */
  cancel: { from: ["pending", "running"], to: "cancelled" },
  /** A person wants it tried again: attempts reset, checkpoints kept. */
  retry: { from: ["failed", "cancelled"], to: "pending" },
} as const satisfies Record<string, Transition>;

export type TransitionName = keyof typeof transitions;

/** Thrown when a change does not fit the state the job is in. */
export class InvalidTransition extends DocmillError {
  override readonly name = "InvalidTransition";
  constructor(jobId: string, from: JobState, to: JobState) {
    super("INVALID_TRANSITION", `Job ${jobId} is ${from}; it cannot become ${to}.`, { details: { from, to } });
  }
}
