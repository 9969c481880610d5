/** What one run of a job shares between its stages and their items. */

import type { Clock } from "../db/clock.ts";
import type { Database, Transaction } from "../db/database.ts";
import { type DocmillError, TerminalError } from "../errors.ts";
import type { Logger } from "../logger.ts";
import { toDocmillError } from "./errors.ts";
import type { EngineObserver } from "./happenings.ts";
import type { JobWriter, LeaseHandle, WriteRequest } from "./job-writer.ts";
import type { Ledger } from "./ledger.ts";
import type { AnyPipeline } from "./pipeline.ts";
import type { ClaimedJob } from "./queries/claim-jobs.ts";
import { Commit, type JobFacts } from "./stage-context.ts";

export interface RunOptions {
  pipeline: AnyPipeline;
  writer: JobWriter;
  ledger: Ledger;
  clock: Clock;
  logger: Logger;
  observe: EngineObserver;
  /** How long the job has waited to be started. */
  waitMs: number;
  /** For reading checkpoints of earlier runs. */
  read: Database["query"];
  /** Aborted with the reason: cancelled, lease lost, shutting down. */
  signal: AbortSignal;
  /** Whether the worker wants its jobs to stop at their next checkpoint. */
  stopping: () => boolean;
}

export interface JobRun extends RunOptions {
  job: ClaimedJob;
  facts: JobFacts;
  /** What each of its log lines carries. */
  fields: RunFields;
  stages: StageWatch;
  handle: LeaseHandle;
  /** How far each stage's loop over items is. */
  itemCounts: Map<string, { done: number; failed: number }>;
  /** Writes for the job; throws LeaseLost if it is no longer ours. */
  write: (request: Omit<WriteRequest, "handle">) => Promise<void>;
}

export type RunFields = Readonly<Record<string, string | number | undefined>>;

export function describeRun(job: ClaimedJob, about: Record<string, string>): RunFields {
  const { id: jobId, kind, batchId, attempts: attempt } = job;
  return { jobId, kind, batchId: batchId ?? undefined, attempt, ...about };
}

/** Ids of what the job works on; none where its input is not what the pipeline takes. */
export function describeSubject({ inputSchema, options }: AnyPipeline, job: ClaimedJob): Record<string, string> {
  const { success, data } = inputSchema.safeParse(job.input);
  try {
    return (success && options.about?.(data as never)) || {};
  } catch {
    // A mistake of its author costs the log lines some ids, and the job nothing.
    return {};
  }
}

/** The stage a run is in, as observers are told of it. */
export interface StageWatch {
  readonly current: string | undefined;
  begin(stage: string): void;
  /** `code`: why it did not come to its checkpoint. */
  end(code?: string): void;
}

export function watchStages(observe: EngineObserver, { id: jobId, kind }: ClaimedJob): StageWatch {
  let current: string | undefined;
  let startedAt = 0;
  return {
    get current() {
      return current;
    },
    begin(stage) {
      current = stage;
      startedAt = performance.now();
      observe({ type: "stageStarted", jobId, kind, stage });
    },
    end(code) {
      if (current === undefined) return;
      observe({ type: "stageEnded", jobId, kind, stage: current, stageMs: performance.now() - startedAt, code });
      current = undefined;
    },
  };
}

export function describeFailure(pipeline: AnyPipeline, thrown: unknown): DocmillError {
  return pipeline.options.classify?.(thrown) ?? toDocmillError(thrown);
}

/** PostgreSQL holds no NUL characters, and foreign messages may be of any length. */
export function cleanText(text: string): string {
  return text.replaceAll("\0", "\uFFFD").slice(0, 10_000).toWellFormed();
}

/** The `commit` of one stage or item: it counts only if it is returned, so one that is not is an error. */
export function trackCommits(what: string) {
  const made = new Set<Commit<unknown>>();
  return {
    commit<Output>(write: (tx: Transaction) => Promise<Output>): Commit<Output> {
      const commit = new Commit(write);
      made.add(commit);
      return commit;
    },
    close(returned: unknown): void {
      if (returned instanceof Commit) made.delete(returned);
      if (made.size === 0) return;
      throw new TerminalError(
        "COMMIT_NOT_RETURNED",
        `${what} calls commit(…) without returning it; nothing it wrote would be kept.`,
      );
    },
  };
}
