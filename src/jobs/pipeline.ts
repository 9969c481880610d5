/**
 * How a kind of work is described: its input, its stages in order, and what happens when something goes wrong.
 *
 * The contract of a stage: it MAY be run again after a crash, so what it does outside `commit` SHALL be safe to repeat.
 * What it hands to `commit` is written together with its checkpoint, exactly once. A stage that has its checkpoint SHALL
 * NOT be run again. Its output SHALL be JSON; large results belong into tables or blobs, with their keys in the output.
 */
import type { z } from "zod";
import type { Transaction } from "../db/database.ts";
import type { Sql } from "../db/sql.ts";
import type { DocmillError } from "../errors.ts";
import { defaultRetry, type RetryPolicy } from "./retry-policy.ts";
import type { Commit, Skipped, StageContext } from "./stage-context.ts";

export interface PipelineOptions<Schema extends z.ZodType> {
  input: Schema;
  /** Left out: 3 attempts, after 1 s and 2 s. */
  retry?: Partial<RetryPolicy>;
  /** What becomes of a job whose worker died: it goes on elsewhere, or fails and waits for a person. */
  whenLost?: "retry" | "fail";
  /** At most `max` jobs of all pipelines that name this limit run at once, over all processes. */
  limit?: { name: string; max: number };
  /** At most so many jobs of this kind run at once in one batch. */
  perBatch?: number;
  /** At most one job with the same key is pending or running. */
  lockKey?: (input: z.output<Schema>) => string;
  /** Set where a job comes with something else: who creates the two together. `POST /api/jobs` refuses the kind. */
  createdBy?: string;
  /** Gives a foreign library's error a code, where the library gives nothing but text. */
  classify?: (error: unknown) => DocmillError | undefined;
  /** Ids of what a job works on, for its log lines and traces: `documentId`, say. Nothing secret, no names. */
  about?: (input: z.output<Schema>) => Record<string, string>;
  /** What the `job_completed` event says of the result. Left out: nothing. */
  describeResult?: (result: unknown) => Record<string, unknown>;
  /** What the `batch_completed` event says besides the counts, read in the transaction that ends the batch. */
  describeBatch?: (batch: FinishedBatch, tx: Transaction) => Promise<Record<string, unknown>>;
  /**
   * A condition over `jobs j`: a job of this kind that has ended is kept while it holds, however old it is. Once it does
   * not hold for a job that has ended, it SHALL NOT hold again. Left out: nobody needs it.
   */
  stillNeeded?: Sql;
}

/** A job to be created: made by `Pipeline.job`, taken by `enqueue`. */
export interface NewJob {
  pipeline: AnyPipeline;
  input: unknown;
  priority?: number;
  /** Do not start before so many milliseconds from now. */
  delayMs?: number;
}

interface FinishedJob<Input, Outputs> {
  id: string;
  batchId: string | null;
  input: Input;
  outputs: Outputs;
}

export interface FinishedBatch {
  id: string;
  status: string;
  data: Record<string, unknown>;
  totalJobs: number;
  completedJobs: number;
  failedJobs: number;
}

export interface Stage {
  name: string;
  run: (context: StageContext<never, never>) => unknown;
}

interface Follow {
  afterJob?: (job: FinishedJob<never, never>) => NewJob[];
  afterBatch?: AfterBatch;
}

type AfterBatch = (batch: FinishedBatch, tx: Transaction) => NewJob[] | Promise<NewJob[]>;

/** `Services` is what stages get besides the engine's own context, from whoever puts the process together. */
export class Pipeline<Input, Outputs extends object, Services extends object = object> {
  readonly kind: string;
  readonly inputSchema: z.ZodType<Input>;
  readonly options: Omit<PipelineOptions<z.ZodType>, "input" | "lockKey" | "about"> & {
    lockKey?: (input: never) => string;
    about?: (input: never) => Record<string, string>;
  };
  readonly retry: RetryPolicy;
  readonly stages: readonly Stage[];
  readonly follow: Follow;

  /** @internal Use `pipeline(…)`. */
  constructor(
    kind: string,
    inputSchema: z.ZodType<Input>,
    options: Pipeline<Input, Outputs, Services>["options"],
    stages: readonly Stage[],
    follow: Follow,
  ) {
    this.kind = kind;
    this.inputSchema = inputSchema;
    this.options = options;
    this.retry = { ...defaultRetry, ...options.retry };
    this.stages = stages;
    this.follow = follow;
  }

  /** Adds a stage. It sees the outputs of the stages before it, by name. */
  stage<Name extends string, Output>(
    name: Name,
    run: (
      context: StageContext<Input, Outputs> & Services,
    ) => Promise<Output | Commit<Output> | Skipped<Output>> | Output | Commit<Output> | Skipped<Output>,
  ): Pipeline<Input, Outputs & { [K in Name]: Output }, Services> {
    if (this.stages.some((stage) => stage.name === name))
      throw new TypeError(`Pipeline ${this.kind} has two stages named ${name}.`);
    const stages = [...this.stages, { name, run: run as Stage["run"] }];
    return new Pipeline(this.kind, this.inputSchema, this.options, stages, this.follow);
  }

  /** Jobs to create when a job of this kind completes, in the same transaction. */
  after(afterJob: (job: FinishedJob<Input, Outputs>) => NewJob[]): Pipeline<Input, Outputs, Services> {
    return new Pipeline(this.kind, this.inputSchema, this.options, this.stages, { ...this.follow, afterJob });
  }

  /** Jobs to create when a batch of this kind has ended, in the same transaction, which may be used to look. */
  afterBatch(afterBatch: AfterBatch): Pipeline<Input, Outputs, Services> {
    return new Pipeline(this.kind, this.inputSchema, this.options, this.stages, { ...this.follow, afterBatch });
  }

  /** A job of this kind, ready to be enqueued. */
  job(input: Input, options: Pick<NewJob, "priority" | "delayMs"> = {}): NewJob {
    return { pipeline: this, input, ...options };
  }
}

/** A pipeline whose types are of no interest: what the engine handles. */
export type AnyPipeline = Pipeline<unknown, object>;

/**
 * Starts the description of a kind of work.
 *
 * @example
 * export const thumbnails = pipeline("thumbnails", { input: z.object({ folder: z.string() }), perBatch: 3 })
 *   .stage("list", async ({ input }) => ({ files: await readdir(input.folder) }))
 *   .stage("shrink", ({ outputs, items }) => items(outputs.list.files, { key: (file) => file }, shrink));
 */
export function pipeline<Schema extends z.ZodType, Services extends object = object>(
  kind: string,
  { input, ...options }: PipelineOptions<Schema>,
): Pipeline<z.output<Schema>, object, Services> {
  if (!/^[a-z][a-z0-9_.-]{0,62}$/.test(kind)) {
    throw new TypeError(`"${kind}" is no kind: lower-case letters, digits, dots, dashes and underscores, 63 at most.`);
  }
  return new Pipeline(kind, input as unknown as z.ZodType<z.output<Schema>>, options, [], {});
}
