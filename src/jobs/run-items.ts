/**
 * A stage's loop over its items. Every finished item is a checkpoint; a later run works on those that are not done (the
 * holes), in the order of the list. A failed item is recorded with its error and the others go on.
 */
import type { Transaction } from "../db/database.ts";
import { sql } from "../db/sql.ts";
import { requireStorable } from "../db/storable.ts";
import { TerminalError } from "../errors.ts";
import type { Logger } from "../logger.ts";
import { LeaseLost, ShuttingDown } from "./errors.ts";
import { jobProgress } from "./job-events.ts";
import { cleanText, describeFailure, type JobRun, trackCommits } from "./job-run.ts";
import type { WriteRequest } from "./job-writer.ts";
import type { ItemError, ProgressWrite } from "./queries/job-write.ts";
import { defaultRetry, nextDelayMs } from "./retry-policy.ts";
import { Commit, type ItemContext, type ItemOptions, type ItemResults, type StageContext } from "./stage-context.ts";

interface StageScope {
  run: JobRun;
  stage: string;
  log: Logger;
  progress: (progress: ProgressWrite) => Promise<void>;
  remember: StageContext<unknown, unknown>["remember"];
}

const noRetry = { ...defaultRetry, attempts: 1 };

export async function runItems<Item, Output>(
  scope: StageScope,
  list: readonly Item[],
  options: ItemOptions<Item>,
  work: (item: Item, context: ItemContext) => Promise<Output | Commit<Output>>,
): Promise<ItemResults<Output>> {
  const { run, stage } = scope;
  const keys = uniqueKeys(list, options.key, stage);
  const done = await readDone(run, stage);
  const results = new Map<string, Output>();
  const failures = new Map<string, ItemError>();
  for (const key of keys) if (done.has(key)) results.set(key, done.get(key) as Output);
  const elsewhere = await countOtherStages(run, stage);
  const count = (): ProgressWrite => {
    run.itemCounts.set(stage, { done: results.size, failed: failures.size });
    return {
      total: elsewhere.done + elsewhere.failed + keys.length,
      completed: elsewhere.done + results.size,
      failed: elsewhere.failed + failures.size,
    };
  };
  await scope.progress(count());

  const holes = keys.flatMap((key, index) => (done.has(key) ? [] : [{ key, item: list[index] as Item }]));
  const queue = holes.values();
  let stopped: unknown;
  const lane = async () => {
    for (const { key, item } of queue) {
      if (stopped !== undefined) return;
      if (run.stopping()) throw new ShuttingDown();
      run.abort.throwIfAborted();
      await runItem(key, item);
    }
  };
  const lanes = Array.from({ length: Math.max(1, Math.min(options.concurrency ?? 1, holes.length)) }, () =>
    lane().catch((error: unknown) => {
      stopped ??= error;
    }),
  );
  await Promise.all(lanes);
  if (stopped !== undefined) throw stopped;
  return { outputs: inOrder(keys, results), failures };

  async function runItem(key: string, item: Item): Promise<void> {
    const policy = options.retry ? { ...defaultRetry, ...options.retry } : noRetry;
    for (let attempt = 1; ; attempt++) {
      try {
        const context = itemContext(scope, key);
        const returned = await work(item, context);
        context.close(returned);
        return await finishItem(key, returned);
      } catch (thrown) {
        if (run.abort.aborted) throw run.abort.reason;
        if (thrown instanceof LeaseLost || thrown instanceof ShuttingDown) throw thrown;
        const error = describeFailure(run.pipeline, thrown);
        const delayMs = nextDelayMs(policy, attempt, error);
        if (delayMs === undefined) {
          await recordFailure(key, item, {
            error: cleanText(error.message),
            error_type: error.retryable ? "retryable" : "terminal",
            code: error.code,
          });
          if (options.failJob) throw error;
          return;
        }
        scope.log.info({ item: key, code: error.code, itemAttempt: attempt, delayMs }, "item will be tried again");
        await run.clock.wait(delayMs, run.abort.signal);
        run.abort.throwIfAborted();
      }
    }
  }

  async function finishItem(key: string, returned: Output | Commit<Output>): Promise<void> {
    const checkpoint = { stage, key, output: undefined as unknown };
    const write = (progress: ProgressWrite): WriteRequest["write"] => ({
      items: [checkpoint],
      progress,
      events: [jobProgress(stage, progress, run.job.lease)],
    });
    const counted = (output: unknown) => {
      requireStorable(output, `The output of item ${key}`);
      checkpoint.output = output;
      results.set(key, output as Output);
      return write({ ...count(), lastCompleted: key });
    };
    const request: Omit<WriteRequest, "handle"> = { write: { items: [checkpoint], events: [] } };
    // The count is taken when the write is made; the row lock puts the writes of concurrent items in order.
    if (returned instanceof Commit) {
      request.inTransaction = async (tx) => {
        Object.assign(request.write, counted(await returned.write(tx)));
      };
    } else request.write = counted(returned);
    await run.write(request).catch((error: unknown) => {
      results.delete(key);
      throw error;
    });
  }

  async function recordFailure(key: string, item: Item, error: ItemError): Promise<void> {
    const { onFailure } = options;
    failures.set(key, error);
    scope.log.warn({ item: key, code: error.code, errorType: error.error_type }, "item failed");
    const progress = count();
    await run.write({
      write: { items: [{ stage, key, error }], progress, events: [jobProgress(stage, progress, run.job.lease)] },
      ...(onFailure && { inTransaction: (tx: Transaction) => onFailure(item, error, tx) }),
    });
  }
}

function itemContext(
  { run, stage, log, remember }: StageScope,
  key: string,
): ItemContext & { close(returned: unknown): void } {
  return {
    job: run.facts,
    signal: run.abort.signal,
    log: log.child({ item: key }),
    key,
    remember,
    ...trackCommits(`Item ${key} of stage ${stage} of ${run.job.kind}`),
  };
}

function uniqueKeys<Item>(list: readonly Item[], keyOf: (item: Item) => string, stage: string): string[] {
  const keys = list.map((item) => keyOf(item));
  if (new Set(keys).size === keys.length) return keys;
  throw new TerminalError(
    "DUPLICATE_ITEM_KEY",
    `Stage ${stage} has two items with the same key; a checkpoint could not tell them apart.`,
  );
}

async function readDone(run: JobRun, stage: string): Promise<Map<string, unknown>> {
  if (run.job.lease === 1) return new Map();
  const rows = await run.read<{ key: string; output: unknown }>(
    sql`select key, output from job_items where job_id = ${run.job.id} and stage = ${stage} and done`,
  );
  return new Map(rows.map(({ key, output }) => [key, output]));
}

/** What the job's other loops have come to: its progress counts all of them. */
async function countOtherStages(run: JobRun, stage: string): Promise<{ done: number; failed: number }> {
  if (run.itemCounts.size === 0 && run.job.lease > 1) {
    const rows = await run.read<{ stage: string; done: number; failed: number }>(sql`
      select stage, count(*) filter (where done) as done, count(*) filter (where not done) as failed
      from job_items where job_id = ${run.job.id} group by stage`);
    for (const { stage: name, ...counts } of rows) run.itemCounts.set(name, counts);
  }
  const others = [...run.itemCounts].filter(([name]) => name !== stage).map(([, counts]) => counts);
  return {
    done: others.reduce((sum, { done }) => sum + done, 0),
    failed: others.reduce((sum, { failed }) => sum + failed, 0),
  };
}

function inOrder<Output>(keys: readonly string[], results: ReadonlyMap<string, Output>): Map<string, Output> {
  return new Map(keys.flatMap((key) => (results.has(key) ? [[key, results.get(key) as Output] as const] : [])));
}
