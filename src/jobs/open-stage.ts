/**
 * A stage while it runs: the context its author works with. What an author takes out of it (`({ items, commit }) => …`) is
 * bound when it is taken: most stages use one or two of these, and a short job would pay for all of them.
 */
import type { Transaction } from "../db/database.ts";
import type { Logger } from "../logger.ts";
import { jobProgress } from "./job-events.ts";
import { type JobRun, trackCommits } from "./job-run.ts";
import type { NewJob } from "./pipeline.ts";
import type { ProgressWrite } from "./queries/job-write.ts";
import { runItems } from "./run-items.ts";
import { type JobFacts, Skipped, type StageContext } from "./stage-context.ts";

type Context = StageContext<unknown, Record<string, unknown>>;

export class OpenStage implements Context {
  readonly input: unknown;
  readonly outputs: Record<string, unknown>;
  /** Jobs to create with the checkpoint. */
  children: NewJob[] | undefined;
  readonly stage: string;
  readonly #run: JobRun;
  #log: Logger | undefined;
  #commits: ReturnType<typeof trackCommits> | undefined;
  #lastProgress = "";

  constructor(run: JobRun, stage: string, input: unknown, outputs: Record<string, unknown>) {
    this.#run = run;
    this.stage = stage;
    this.input = input;
    this.outputs = outputs;
  }

  get job(): JobFacts {
    return this.#run.facts;
  }

  get signal(): AbortSignal {
    return this.#run.abort.signal;
  }

  get log(): Logger {
    this.#log ??= this.#run.logger.child({ ...this.#run.fields, stage: this.stage });
    return this.#log;
  }

  get progress(): Context["progress"] {
    return (change) => this.#progress(change);
  }

  get remember(): Context["remember"] {
    const { ledger, job, abort } = this.#run;
    return (call) => ledger.remember(job.id, call, abort.signal);
  }

  get commit(): Context["commit"] {
    this.#commits ??= trackCommits(`Stage ${this.stage} of ${this.#run.job.kind}`);
    return this.#commits.commit;
  }

  get fenced(): Context["fenced"] {
    return async <Result>(author: (tx: Transaction) => Promise<Result>) => {
      let result: Result | undefined;
      const inTransaction = async (tx: Transaction) => {
        result = await author(tx);
      };
      await this.#run.write({ write: { events: [] }, inTransaction });
      return result as Result;
    };
  }

  get items(): Context["items"] {
    const scope = {
      run: this.#run,
      stage: this.stage,
      log: this.log,
      progress: this.progress,
      remember: this.remember,
    };
    return (list, options, work) => runItems(scope, list, options, work);
  }

  get emit(): Context["emit"] {
    return (type, data) => this.#run.write({ write: { events: [{ type, data, toBatch: true }] } });
  }

  get skip(): Context["skip"] {
    return (output) => new Skipped(output);
  }

  get enqueue(): Context["enqueue"] {
    return (child) => {
      this.children ??= [];
      this.children.push(child);
    };
  }

  /** When the stage has returned: refuses a commit that was made and not returned. */
  close(returned: unknown): void {
    this.#commits?.close(returned);
  }

  async #progress(change: ProgressWrite): Promise<void> {
    const same = JSON.stringify(change);
    if (same === this.#lastProgress) return;
    this.#lastProgress = same;
    const { writer, handle, job } = this.#run;
    await writer.write({
      handle,
      write: { progress: change, events: [jobProgress(this.stage, change, job.lease)] },
    });
  }
}
