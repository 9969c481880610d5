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

export interface RunOptions extends RunParts {
  pipeline: AnyPipeline;
  /** How long the job has waited to be started. */
  waitMs: number;
  abort: JobAbort;
  /** Called when the run's last write is on its way: there is no more work to do for it. */
  onHandedIn: () => void;
}

export type RunFields = Readonly<Record<string, string | number | undefined>>;

export class JobRun implements RunParts {
  readonly job: ClaimedJob;
  readonly facts: JobFacts;
  readonly handle: LeaseHandle;
  readonly pipeline: AnyPipeline;
  readonly writer: JobWriter;
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly observe: EngineObserver;
  readonly read: Database["query"];
  readonly stopping: () => boolean;
  readonly abort: JobAbort;
  readonly stages: StageWatch;
  readonly #about: Record<string, string>;
  #itemCounts: Map<string, { done: number; failed: number }> | undefined;
  readonly #onHandedIn: () => void;

  constructor(
    job: ClaimedJob,
    facts: JobFacts,
    handle: LeaseHandle,
    about: Record<string, string>,
    options: RunOptions,
  ) {
    this.job = job;
    this.facts = facts;
    this.handle = handle;
    this.pipeline = options.pipeline;
    this.writer = options.writer;
    this.ledger = options.ledger;
    this.clock = options.clock;
    this.logger = options.logger;
    this.observe = options.observe;
    this.read = options.read;
    this.stopping = options.stopping;
    this.abort = options.abort;
    this.stages = new StageWatch(options.observe, job);
    this.#about = about;
    this.#onHandedIn = options.onHandedIn;
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

  /** Hands a write in; resolves to false if the job is no longer ours. */
  handIn(request: Omit<WriteRequest, "handle">): Promise<boolean> {
    const landing = this.writer.write({ handle: this.handle, ...request });
    if (request.write.change) this.#onHandedIn();
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

/** The stage a run is in, as observers are told of it. */
export class StageWatch {
  current: string | undefined;
  readonly #observe: EngineObserver;
  readonly #job: ClaimedJob;
  #startedAt = 0;

  constructor(observe: EngineObserver, job: ClaimedJob) {
    this.#observe = observe;
    this.#job = job;
  }

  /** Answers when that was. */
  begin(stage: string): number {
    const { id: jobId, kind } = this.#job;
    this.current = stage;
    this.#startedAt = performance.now();
    this.#observe({ type: "stageStarted", jobId, kind, stage });
    return this.#startedAt;
  }

  /** `code`: why it did not come to its checkpoint. */
  end(code?: string): void {
    const { current: stage } = this;
    if (stage === undefined) return;
    const { id: jobId, kind } = this.#job;
    this.#observe({ type: "stageEnded", jobId, kind, stage, stageMs: performance.now() - this.#startedAt, code });
    this.current = undefined;
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
