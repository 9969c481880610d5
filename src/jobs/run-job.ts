/**
 * Runs one claimed job: the stages that have no checkpoint yet, one after the other, each ending in its checkpoint. The
 * completion is the last stage's.
 */
import type { Transaction } from "../db/database.ts";
import { requireStorable } from "../db/storable.ts";
import type { Logger } from "../logger.ts";
import { parseInput } from "./enqueue.ts";
import { JobCancelled, LeaseLost, ShuttingDown, toDocmillError } from "./errors.ts";
import type { RunOutcome } from "./happenings.ts";
import { jobCompleted, jobFailed, jobProgress, jobReleased, jobRetrying, stageCompleted } from "./job-events.ts";
import {
  cleanText,
  describeFailure,
  describeRun,
  describeSubject,
  type JobRun,
  type RunOptions,
  trackCommits,
  watchStages,
} from "./job-run.ts";
import type { LeaseHandle, WriteRequest } from "./job-writer.ts";
import type { NewJob } from "./pipeline.ts";
import type { ClaimedJob } from "./queries/claim-jobs.ts";
import type { ProgressWrite, StageWrite } from "./queries/write-jobs.ts";
import { nextDelayMs } from "./retry-policy.ts";
import { runItems } from "./run-items.ts";
import { Commit, type JobFacts, Skipped, type StageContext } from "./stage-context.ts";

export async function runJob(job: ClaimedJob, handle: LeaseHandle, options: RunOptions): Promise<RunOutcome> {
  const facts: JobFacts = {
    id: job.id,
    kind: job.kind,
    attempt: job.attempts,
    lease: job.lease,
    batchId: job.batchId,
    sequence: job.sequence,
    parentId: job.parentId,
  };
  const write: JobRun["write"] = async (request) => {
    if (!(await options.writer.write({ handle, ...request }))) throw new LeaseLost(job.id);
  };
  const { pipeline, observe, waitMs } = options;
  const { id: jobId, kind, attempt, lease, batchId } = facts;
  const about = describeSubject(pipeline, job);
  observe({ type: "started", jobId, kind, batchId, attempt, lease, waitMs, about });
  const fields = describeRun(job, about);
  const stages = watchStages(observe, job);
  const run: JobRun = { ...options, job, facts, fields, stages, handle, write, itemCounts: new Map() };
  try {
    await runStages(run, parseInput(pipeline, job.input));
    return "completed";
  } catch (thrown) {
    return await settleFailure(run, thrown);
  }
}

async function runStages(run: JobRun, input: unknown): Promise<void> {
  const { pipeline, job } = run;
  const outputs: Record<string, unknown> = { ...job.stages };
  const waiting = pipeline.stages.filter(({ name }) => !(name in outputs));
  const finish = (): Pick<WriteRequest, "newJobs"> & { described: Record<string, unknown>; result: unknown } => {
    const result = outputs[pipeline.stages.at(-1)?.name ?? ""];
    const finished = { id: job.id, batchId: job.batchId, input, outputs };
    return {
      result,
      described: pipeline.options.describeResult?.(result) ?? {},
      newJobs: pipeline.follow.afterJob?.(finished as never) ?? [],
    };
  };

  let skipped: StageWrite[] = [];
  for (const [index, stage] of waiting.entries()) {
    if (run.stopping()) throw new ShuttingDown();
    run.signal.throwIfAborted();
    run.stages.begin(stage.name);
    const startedAt = performance.now();
    const children: NewJob[] = [];
    const context = stageContext(run, stage.name, input, outputs, children);
    const returned = await stage.run(context as unknown as StageContext<never, never>);
    context.close(returned);
    const isLast = index === waiting.length - 1;
    const checkpoint: StageWrite = { name: stage.name, output: undefined, startedMsAgo: performance.now() - startedAt };
    if (returned instanceof Skipped && !isLast && children.length === 0) {
      requireStorable(returned.output, `The output of stage ${stage.name}`);
      outputs[stage.name] = checkpoint.output = returned.output ?? null;
      skipped.push(checkpoint);
      run.stages.end();
      continue;
    }
    const before = skipped;
    skipped = [];
    const write: WriteRequest["write"] = {
      stage: checkpoint,
      skipped: before,
      events: [...before.map(({ name }) => stageCompleted(name, job.lease)), stageCompleted(stage.name, job.lease)],
    };
    const request: Omit<WriteRequest, "handle"> = { write, newJobs: children };
    const childCount = children.length;

    const take = (output: unknown) => {
      requireStorable(output, `The output of stage ${stage.name}`);
      outputs[stage.name] = checkpoint.output = output ?? null;
      if (!isLast) return;
      const { result, described, newJobs: followers = [] } = finish();
      // The completion is the last stage's checkpoint: its output is the job's result, its end the job's.
      write.stage = undefined;
      write.change = { transition: "complete", result };
      write.events = [...write.events.slice(0, -1), jobCompleted(described, job.lease)];
      children.push(...followers);
    };
    if (returned instanceof Commit) {
      request.inTransaction = async (tx) => {
        // It may be run more than once until it lands.
        children.length = childCount;
        take(await returned.write(tx));
      };
    } else take(returned instanceof Skipped ? returned.output : returned);
    await run.write(request);
    run.stages.end();
  }

  if (waiting.length === 0) {
    // Every stage was there already: the pipeline has lost its last stage since this job stopped.
    const { result, described, newJobs } = finish();
    await run.write({
      write: { change: { transition: "complete", result }, events: [jobCompleted(described, job.lease)] },
      newJobs,
    });
  }
}

type OpenStageContext = StageContext<unknown, Record<string, unknown>> & { close(returned: unknown): void };

function stageContext(
  run: JobRun,
  stage: string,
  input: unknown,
  outputs: Record<string, unknown>,
  children: NewJob[],
): OpenStageContext {
  const { job, facts, signal, write } = run;
  let log: Logger | undefined;
  const getLog = () => (log ??= run.logger.child({ ...run.fields, stage }));
  const { commit, close } = trackCommits(`Stage ${stage} of ${job.kind}`);
  let lastProgress = "";

  const progress = async (change: ProgressWrite): Promise<void> => {
    const same = JSON.stringify(change);
    if (same === lastProgress) return;
    lastProgress = same;
    await run.writer.write({
      handle: run.handle,
      write: { progress: change, events: [jobProgress(stage, change, job.lease)] },
    });
  };
  const remember: OpenStageContext["remember"] = (call) => run.ledger.remember(job.id, call, signal);

  return {
    job: facts,
    input,
    outputs,
    signal,
    // Made when it is first used: most stages never log.
    get log() {
      return getLog();
    },
    progress,
    remember,
    commit,
    async fenced<Result>(author: (tx: Transaction) => Promise<Result>) {
      let result: Result | undefined;
      const inTransaction = async (tx: Transaction) => {
        result = await author(tx);
      };
      await write({ write: { events: [] }, inTransaction });
      return result as Result;
    },
    items: (list, options, work) => runItems({ run, stage, log: getLog(), progress, remember }, list, options, work),
    async emit(type, data) {
      await write({ write: { events: [{ type, data, toBatch: true }] } });
    },
    skip: (output) => new Skipped(output),
    enqueue: (child) => void children.push(child),
    close,
  };
}

async function settleFailure(run: JobRun, thrown: unknown): Promise<RunOutcome> {
  const { job, pipeline, handle, writer, stages } = run;
  const reason: unknown = run.signal.aborted ? run.signal.reason : thrown;
  if (reason instanceof ShuttingDown) {
    stages.end(reason.code);
    const landed = await writer.write({
      handle,
      write: { change: { transition: "release" }, events: [jobReleased("worker shutting down", job.lease)] },
    });
    return landed ? "released" : "lost";
  }
  if (run.signal.aborted || reason instanceof LeaseLost) {
    stages.end(toDocmillError(reason).code);
    return reason instanceof JobCancelled ? "cancelled" : "lost";
  }

  const stage = stages.current;
  const error = describeFailure(pipeline, thrown);
  const logged = { code: error.code, message: cleanText(error.message), retryable: error.retryable, stage };
  const delayMs = nextDelayMs(pipeline.retry, job.attempts, error);
  stages.end(error.code);
  run.observe({ type: "failed", jobId: job.id, kind: job.kind, code: error.code, delayMs });
  // What is known by its code is kept with the job; its message may name people, and a log goes to many places.
  const unknown = error.code === "UNKNOWN" ? { err: error } : {};
  run.logger.warn({ ...run.fields, stage, code: error.code, ...unknown, delayMs }, "job attempt failed");
  const write: WriteRequest["write"] =
    delayMs === undefined
      ? { change: { transition: "fail", error: logged }, events: [jobFailed({ ...logged }, job.attempts, job.lease)] }
      : {
          change: { transition: "backOff", error: logged, delayMs },
          events: [jobRetrying(logged, job.attempts, delayMs, job.lease)],
        };
  if (!(await writer.write({ handle, write }))) return "lost";
  return delayMs === undefined ? "failed" : "retrying";
}
