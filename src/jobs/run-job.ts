/**
 * Runs one claimed job: the stages that have no checkpoint yet, one after the other, each ending in its checkpoint. The
 * completion is the last stage's.
 */
import { requireStorable } from "../db/storable.ts";
import { requireInput } from "./enqueue.ts";
import { JobCancelled, LeaseLost, ShuttingDown, toDocmillError } from "./errors.ts";
import type { RunOutcome } from "./happenings.ts";
import { jobCompleted, jobFailed, jobReleased, jobRetrying, stageCompleted } from "./job-events.ts";
import { cleanText, describeFailure, describeSubject, JobRun, type RunOptions } from "./job-run.ts";
import type { LeaseHandle, WriteRequest } from "./job-writer.ts";
import { OpenStage } from "./open-stage.ts";
import type { ClaimedJob } from "./queries/claim-jobs.ts";
import type { StageWrite } from "./queries/job-write.ts";
import { nextDelayMs } from "./retry-policy.ts";
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
  const { pipeline, observe, waitMs } = options;
  const { id: jobId, kind, attempt, lease, batchId } = facts;
  const input = pipeline.inputSchema.safeParse(job.input);
  const about = describeSubject(pipeline, input);
  observe({ type: "started", jobId, kind, batchId, attempt, lease, waitMs, about });
  const run = new JobRun(job, facts, handle, about, options);
  try {
    await runStages(run, requireInput(pipeline, input));
    return "completed";
  } catch (thrown) {
    return await settleFailure(run, thrown);
  }
}

async function runStages(run: JobRun, input: unknown): Promise<void> {
  const { pipeline, job } = run;
  const outputs: Record<string, unknown> = { ...job.stages };
  const waiting = job.stages === null ? pipeline.stages : pipeline.stages.filter(({ name }) => !(name in outputs));
  let skipped: StageWrite[] = [];
  for (const stage of waiting) {
    if (run.stopping()) throw new ShuttingDown();
    run.abort.throwIfAborted();
    const startedAt = run.stages.begin(stage.name);
    const context = new OpenStage(run, stage.name, input, outputs);
    const returned = await stage.run(context as unknown as StageContext<never, never>);
    context.close(returned);
    const isLast = stage === waiting.at(-1);
    const checkpoint: StageWrite = { name: stage.name, output: undefined, startedMsAgo: performance.now() - startedAt };
    if (returned instanceof Skipped && !isLast && context.children.length === 0) {
      requireStorable(returned.output, `The output of stage ${stage.name}`);
      outputs[stage.name] = checkpoint.output = returned.output ?? null;
      skipped.push(checkpoint);
    } else {
      await run.write(checkpointOf(run, context, { checkpoint, returned, skipped, isLast }));
      skipped = [];
    }
    run.stages.end();
  }

  if (waiting.length === 0) {
    // Every stage was there already: the pipeline has lost its last stage since this job stopped.
    const { result, described, followers } = finish(run, input, outputs);
    await run.write({
      write: { change: { transition: "complete", result }, events: [jobCompleted(described, job.lease)] },
      newJobs: followers,
    });
  }
}

interface EndedStage {
  checkpoint: StageWrite;
  returned: unknown;
  /** Stages before it that had nothing to do. */
  skipped: StageWrite[];
  isLast: boolean;
}

/** What a stage comes to when it has returned: its checkpoint, or, if it is the last, the completion of the job. */
function checkpointOf(
  run: JobRun,
  { children, input, outputs }: OpenStage,
  { checkpoint, returned, skipped, isLast }: EndedStage,
): Omit<WriteRequest, "handle"> {
  const { lease } = run.job;
  const before = skipped.map(({ name }) => stageCompleted(name, lease));
  const write: WriteRequest["write"] = {
    stage: checkpoint,
    skipped,
    events: [...before, stageCompleted(checkpoint.name, lease)],
  };
  const request: Omit<WriteRequest, "handle"> = { write, newJobs: children };
  const childCount = children.length;

  const take = (output: unknown) => {
    requireStorable(output, `The output of stage ${checkpoint.name}`);
    outputs[checkpoint.name] = checkpoint.output = output ?? null;
    if (!isLast) return;
    const { result, described, followers } = finish(run, input, outputs);
    // The completion is the last stage's checkpoint: its output is the job's result, its end the job's.
    write.stage = undefined;
    write.change = { transition: "complete", result };
    write.events = [...before, jobCompleted(described, lease)];
    children.push(...followers);
  };
  if (returned instanceof Commit) {
    request.inTransaction = async (tx) => {
      // It may be run more than once until it lands.
      children.length = childCount;
      take(await returned.write(tx));
    };
  } else take(returned instanceof Skipped ? returned.output : returned);
  return request;
}

/** What a job whose stages are all done comes to. */
function finish({ pipeline, job }: JobRun, input: unknown, outputs: Record<string, unknown>) {
  const result = outputs[pipeline.stages.at(-1)?.name ?? ""];
  const finished = { id: job.id, batchId: job.batchId, input, outputs };
  return {
    result,
    described: pipeline.options.describeResult?.(result) ?? {},
    followers: pipeline.follow.afterJob?.(finished as never) ?? [],
  };
}

async function settleFailure(run: JobRun, thrown: unknown): Promise<RunOutcome> {
  const { job, pipeline, stages } = run;
  const reason: unknown = run.abort.aborted ? run.abort.reason : thrown;
  if (reason instanceof ShuttingDown) {
    stages.end(reason.code);
    const landed = await run.handIn({
      write: { change: { transition: "release" }, events: [jobReleased("worker shutting down", job.lease)] },
    });
    return landed ? "released" : "lost";
  }
  if (run.abort.aborted || reason instanceof LeaseLost) {
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
  if (!(await run.handIn({ write }))) return "lost";
  return delayMs === undefined ? "failed" : "retrying";
}
