/** What a stage gets to work with, as its author sees it. */
import type { Transaction } from "../db/database.ts";
import type { Logger } from "../logger.ts";
import type { PaidCall } from "./ledger.ts";
import type { NewJob } from "./pipeline.ts";
import type { ItemError, ProgressWrite } from "./queries/job-write.ts";
import type { RetryPolicy } from "./retry-policy.ts";

/** Writes that are committed together with the checkpoint of the stage or item that returns them. */
export class Commit<Output> {
  readonly write: (tx: Transaction) => Promise<Output>;
  constructor(write: (tx: Transaction) => Promise<Output>) {
    this.write = write;
  }
}

/** The output of a stage that had nothing to do. */
export class Skipped<Output> {
  readonly output: Output;
  constructor(output: Output) {
    this.output = output;
  }
}

export interface JobFacts {
  id: string;
  kind: string;
  attempt: number;
  /** The number of this claim: one higher each time anyone takes the job. */
  lease: number;
  batchId: string | null;
  sequence: number | null;
  parentId: string | null;
}

/** What stages and items have in common. */
interface WorkContext {
  job: JobFacts;
  /** Aborts when the job is cancelled, its lease is lost or the worker must stop. */
  signal: AbortSignal;
  log: Logger;
  /** `return commit(async (tx) => …)`: result rows and checkpoint in one transaction; what it returns is the output. */
  commit<Output>(write: (tx: Transaction) => Promise<Output>): Commit<Output>;
  /** A paid call: answered from the ledger if it was ever made before, by anyone. */
  remember<Answer>(call: PaidCall<Answer>): Promise<Answer>;
}

export interface ItemContext extends WorkContext {
  key: string;
}

export interface ItemOptions<Item> {
  /** Names an item, the same in every attempt: a page number, a file name. */
  key: (item: Item) => string;
  /** How many at a time; one, if left out. */
  concurrency?: number;
  /** Tries of one item within this run of the job, waiting in between; a single one, if left out. */
  retry?: Partial<RetryPolicy>;
  /** Whether an item that failed fails the job. Left out, it is recorded and the others go on. */
  failJob?: boolean;
  /** Writes of the author's own that go with the record of a failure, in the same transaction. */
  onFailure?: (item: Item, error: ItemError, tx: Transaction) => Promise<void>;
}

export interface ItemResults<Output> {
  /** By key, in the order of the list; failed ones are missing. */
  outputs: Map<string, Output>;
  failures: Map<string, ItemError>;
}

export interface StageContext<Input, Outputs> extends WorkContext {
  input: Input;
  /** Outputs of the stages before this one, by name. */
  outputs: Outputs;
  /**
   * A transaction that is refused if the job is no longer ours; for writes in the middle of a stage. Like the rest of
   * the stage it may run again, so it SHALL be safe to repeat.
   */
  fenced<Result>(write: (tx: Transaction) => Promise<Result>): Promise<Result>;
  /** Runs `work` for every item that has no checkpoint yet. Progress is counted by itself. */
  items<Item, Output>(
    list: readonly Item[],
    options: ItemOptions<Item>,
    work: (item: Item, context: ItemContext) => Promise<Output | Commit<Output>>,
  ): Promise<ItemResults<Output>>;
  /** Absolute numbers, never deltas. Without effect once the job is no longer ours. */
  progress(progress: ProgressWrite): Promise<void>;
  /** Appends an event of the pipeline's own to the job's stream and its batch's. */
  emit(type: string, data: Record<string, unknown>): Promise<void>;
  /**
   * `return skip(output)`: there was nothing to do. The checkpoint is written with that of the next stage that has done
   * something, so that it costs no commit of its own; after a crash in between the stage looks again.
   */
  skip<Output>(output: Output): Skipped<Output>;
  /** Creates a child job together with this stage's checkpoint: never without it, never twice. */
  enqueue(job: NewJob): void;
}
