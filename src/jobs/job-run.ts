/** What one run of a job shares between its stages and their items. */

import type { Clock } from "../db/clock.ts";
import type { Database, Transaction } from "../db/database.ts";
import { type DocmillError, TerminalError } from "../errors.ts";
import type { Logger } from "../logger.ts";
import { LeaseLost, toDocmillError } from "./errors.ts";
import type { EngineObserver } from "./happenings.ts";
import type { JobAbort } from "./job-abort.ts";
import type { JobWriter, LeaseHandle, WriteRequest } from "./job-writer.ts";
import type { Ledger } from "./ledger.ts";
import type { AnyPipeline } from "./pipeline.ts";
import type { ClaimedJob } from "./queries/claim-jobs.ts";
import type { StageWrite } from "./queries/job-write.ts";
import { Commit, type JobFacts } from "./stage-context.ts";

/** What all runs of a worker share. */
export interface RunParts {
  writer: JobWriter;
  ledger: Ledger;
  clock: Clock;
  logger: Logger;
  observe: EngineObserver;
  /** For reading checkpoints of earlier runs. */
  read: Database["query"];
  /** Whether the worker wants its jobs to stop at their next checkpoint. */
  stopping: () => boolean;
}

export interface RunOptions {
  parts: RunParts;
  pipeline: AnyPipeline;
  /** How long the job has waited to be started. */
  waitMs: number;
  abort: JobAbort;
  /** Called when the run's last write is on its way: there is no more work to do for it. */
  onHandedIn: () => void;
}

export type RunFields = Readonly<Record<string, string | number | undefined>>;

/** Short jobs come by the thousand: what all runs share is looked up with the options, not copied into each. */
export class JobRun implements RunParts {
  readonly job: ClaimedJob;
  readonly handle: LeaseHandle;
  /** The stage it is in, as observers are told of it. */
  stage: string | undefined;
  /** Stages that had nothing to do, to be written with the next that had. */
  skipped: StageWrite[] | undefined;
  readonly #options: RunOptions;
  readonly #about: Record<string, string>;
  #stageStartedAt = 0;
  #facts: JobFacts | undefined;
  #itemCounts: Map<string, { done: number; failed: number }> | undefined;

  constructor(job: ClaimedJob, handle: LeaseHandle, about: Record<string, string>, options: RunOptions) {
    this.job = job;
    this.handle = handle;
    this.#about = about;
    this.#options = options;
  }

  get pipeline(): AnyPipeline {
    return this.#options.pipeline;
  }

  get writer(): JobWriter {
    return this.#options.parts.writer;
  }

  get ledger(): Ledger {
    return this.#options.parts.ledger;
  }

  get clock(): Clock {
    return this.#options.parts.clock;
  }

  get logger(): Logger {
    return this.#options.parts.logger;
  }

  get observe(): EngineObserver {
    return this.#options.parts.observe;
  }

  get read(): Database["query"] {
    return this.#options.parts.read;
  }

  get stopping(): () => boolean {
    return this.#options.parts.stopping;
  }

  get abort(): JobAbort {
    return this.#options.abort;
  }

  /** What its author is told about the job. */
  get facts(): JobFacts {
    const { id, kind, attempts: attempt, lease, batchId, sequence, parentId } = this.job;
    this.#facts ??= { id, kind, attempt, lease, batchId, sequence, parentId };
    return this.#facts;
  }

  /** How far each stage's loop over items is. */
  get itemCounts(): Map<string, { done: number; failed: number }> {
    this.#itemCounts ??= new Map();
    return this.#itemCounts;
  }

  /** What each of its log lines carries. */
  get fields(): RunFields {
    return describeRun(this.job, this.#about);
  }

  beginStage(stage: string): void {
    const { id: jobId, kind } = this.job;
    this.stage = stage;
    this.#stageStartedAt = performance.now();
    this.observe({ type: "stageStarted", jobId, kind, stage });
  }

  /** How long the stage has been running. */
  stageMs(): number {
    return performance.now() - this.#stageStartedAt;
  }

  /** `code`: why it did not come to its checkpoint. */
  endStage(code?: string): void {
    const { stage } = this;
    if (stage === undefined) return;
    const { id: jobId, kind } = this.job;
    this.observe({ type: "stageEnded", jobId, kind, stage, stageMs: this.stageMs(), code });
    this.stage = undefined;
  }

  /** Hands a write in; resolves to false if the job is no longer ours. */
  handIn({ write, newJobs, inTransaction }: Omit<WriteRequest, "handle">): Promise<boolean> {
    const landing = this.writer.write({ handle: this.handle, write, newJobs, inTransaction });
    if (write.change) this.#options.onHandedIn();
    return landing;
  }

  /** Writes for the job; throws LeaseLost if it is no longer ours. */
  async write(request: Omit<WriteRequest, "handle">): Promise<void> {
    if (!(await this.handIn(request))) throw new LeaseLost(this.job.id);
  }
}

export function describeRun(job: ClaimedJob, about: Record<string, string>): RunFields {
  const { id: jobId, kind, batchId, attempts: attempt } = job;
  return { jobId, kind, batchId: batchId ?? undefined, attempt, ...about };
}

const nothingKnown: Record<string, string> = {};

/** Ids of what the job works on; none where its input is not what the pipeline takes. */
export function describeSubject(
  { options }: AnyPipeline,
  input: { success: boolean; data?: unknown },
): Record<string, string> {
  if (!input.success || !options.about) return nothingKnown;
  try {
    return options.about(input.data as never);
  } catch {
    // A mistake of its author costs the log lines some ids, and the job nothing.
    return nothingKnown;
  }
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
