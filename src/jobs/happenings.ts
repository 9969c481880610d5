/** What the engine tells whoever observes it: metrics, traces, tests. An observer SHALL be quick and SHALL NOT throw. */
import type { WrittenJob } from "./queries/write-jobs.ts";

/** How a run ended. A job that was cancelled, or taken by others, is no longer this run's to settle. */
export type RunOutcome = "completed" | "retrying" | "failed" | "released" | "cancelled" | "lost";

interface PaidFor {
  /** Null where a person asked for themselves. */
  jobId: string | null;
  provider: string;
  model: string;
}

export type EngineHappening =
  /** In a transaction of someone else's it may still be undone. */
  | { type: "created"; jobs: readonly { id: string; kind: string }[] }
  /** A claim was answered, maybe with nothing. */
  | { type: "claimed"; jobs: number; claimMs: number }
  /** `waitMs`: since it was first due, which tells something of the first lease only. `about`: ids of what it works on. */
  | {
      type: "started";
      jobId: string;
      kind: string;
      batchId: string | null;
      attempt: number;
      lease: number;
      waitMs: number;
      about: Readonly<Record<string, string>>;
    }
  | { type: "stageStarted"; jobId: string; kind: string; stage: string }
  /** `code`: why it did not come to its checkpoint. */
  | { type: "stageEnded"; jobId: string; kind: string; stage: string; stageMs: number; code?: string }
  /** An attempt failed; with `delayMs` the job is tried again by itself. */
  | { type: "failed"; jobId: string; kind: string; code: string; delayMs: number | undefined }
  | { type: "ended"; jobId: string; kind: string; outcome: RunOutcome; runMs: number }
  /** Jobs were written; those whose `status` is not what it `was` have changed their state. */
  | { type: "written"; jobs: readonly WrittenJob[] }
  /** This worker's lease: others have taken its jobs. */
  | { type: "lost" }
  | { type: "rescued"; jobs: number }
  | (PaidFor & {
      type: "paid";
      callMs: number;
      tokensIn?: number;
      tokensOut?: number;
      costMicros?: number;
    })
  /** A call that gave no answer, or none that can be kept. */
  | (PaidFor & { type: "unpaid"; callMs: number; code: string })
  /** The ledger had the answer. */
  | (PaidFor & { type: "remembered" });

export type EngineObserver = (happening: EngineHappening) => void;

/** One that tells all of them; undefined where there is none. */
export function observeAll(...observers: readonly (EngineObserver | undefined)[]): EngineObserver | undefined {
  const [first, ...others] = observers.filter((observer) => observer !== undefined);
  if (!first || others.length === 0) return first;
  return (happening) => {
    first(happening);
    for (const observer of others) observer(happening);
  };
}

export const noObserver: EngineObserver = () => undefined;
