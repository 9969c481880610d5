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
import type { AnyPipeline, NewJob, Stage } from "./pipeline.ts";
import type { ClaimedJob } from "./queries/claim-jobs.ts";
import type { EventWrite, StageWrite } from "./queries/job-write.ts";
import { nextDelayMs } from "./retry-policy.ts";
import { Commit, Skipped, type StageContext } from "./stage-context.ts";

type ParsedInput = ReturnType<AnyPipeline["inputSchema"]["safeParse"]>;
type Request = Omit<WriteRequest, "handle">;

/**
 * All of it waits in this one function, with little to remember: each function more that waits for another's promise takes
 * a short job half a kilobyte, kept until its last commit.
 */
export async function runJob(job: ClaimedJob, handle: LeaseHandle, options: RunOptions): Promise<RunOutcome> {
  const parsed = options.pipeline.inputSchema.safeParse(job.input);
  const run = startRun(job, handle, options, parsed);
  try {
    const input = requireInput(options.pipeline, parsed);
    const outputs: Record<string, unknown> = { ...job.stages };
    const waiting = stagesWithout(outputs, run);
    for (let place = 0; place < waiting.length; place++) {
      const stage = waiting[place] as Stage;
      if (run.stopping()) throw new ShuttingDown();
      run.abort.throwIfAborted();
      run.beginStage(stage.name);
      const context = new OpenStage(run, stage.name, input, outputs);
      const returned = await stage.run(context as unknown as StageContext<never, never>);
      const request = endStage(run, context, returned, place === waiting.length - 1);
      if (request !== undefined) {
        if (!(await run.handIn(request))) throw new LeaseLost(job.id);
        run.skipped = undefined;
      }
      run.endStage();
    }
    // Every stage was there already: the pipeline has lost its last stage since this job stopped.
    if (waiting.length === 0) await run.write(complete(run, input, outputs));
    return "completed";
  } catch (thrown) {
    return await settleFailure(run, thrown);
  }
}

function startRun(job: ClaimedJob, handle: LeaseHandle, options: RunOptions, parsed: ParsedInput): JobRun {
  const { id: jobId, kind, batchId, attempts: attempt, lease } = job;
  const { waitMs } = options;
  const about = describeSubject(options.pipeline, parsed);
  options.parts.observe({ type: "started", jobId, kind, batchId, attempt, lease, waitMs, about });
  return new JobRun(job, handle, about, options);
}

/** The stages that have no checkpoint yet. */
function stagesWithout(outputs: Record<string, unknown>, { job, pipeline }: JobRun): readonly Stage[] {
  return job.stages === null ? pipeline.stages : pipeline.stages.filter(({ name }) => !(name in outputs));
}

/**
 * What a stage comes to when it has returned: its checkpoint, or, if it is the last, the completion of the job. One that
 * had nothing to do comes to nothing yet.
 */
function endStage(run: JobRun, context: OpenStage, returned: unknown, isLast: boolean): Request | undefined {
  context.close(returned);
  if (returned instanceof Commit) return endInTransaction(run, context, returned, isLast);
  const output = returned instanceof Skipped ? returned.output : returned;
  takeOutput(context, output);
  if (isLast) return complete(run, context.input, context.outputs, context.children);
  const checkpoint: StageWrite = { name: context.stage, output: output ?? null, startedMsAgo: run.stageMs() };
  if (returned instanceof Skipped && context.children === undefined) {
    run.skipped ??= [];
    run.skipped.push(checkpoint);
    return undefined;
  }
  return save(run, checkpoint, context.children);
}

/** The author's own writes decide on the output, and may be run more than once until they land. */
function endInTransaction(run: JobRun, context: OpenStage, commit: Commit<unknown>, isLast: boolean): Request {
  context.children ??= [];
  const { children, input, outputs } = context;
  const childCount = children.length;
  const checkpoint: StageWrite = { name: context.stage, output: undefined, startedMsAgo: run.stageMs() };
  const request = save(run, checkpoint, children);
  request.inTransaction = async (tx) => {
    children.length = childCount;
    const output = await commit.write(tx);
    takeOutput(context, output);
    checkpoint.output = output ?? null;
    if (isLast) Object.assign(request.write, complete(run, input, outputs, children).write);
  };
  return request;
}

function takeOutput({ outputs, stage }: OpenStage, output: unknown): void {
  if (output !== undefined && output !== null) requireStorable(output, `The output of stage ${stage}`);
  outputs[stage] = output ?? null;
}

// Requests have all their fields, those that say nothing too: objects of one shape are cheaper to read than objects of many.

function save(run: JobRun, stage: StageWrite, newJobs: NewJob[] | undefined): Request {
  const events = afterSkipped(run, stageCompleted(stage.name, run.job.lease));
  return { write: { change: undefined, stage, skipped: run.skipped, events }, newJobs, inTransaction: undefined };
}

/** The completion is the last stage's checkpoint: its output is the job's result, its end the job's. */
function complete(run: JobRun, input: unknown, outputs: Record<string, unknown>, children?: NewJob[]): Request {
  const { job, pipeline, skipped } = run;
  const result = outputs[pipeline.stages.at(-1)?.name ?? ""];
  const events = afterSkipped(run, jobCompleted(pipeline.options.describeResult?.(result), job.lease));
  const followers = pipeline.follow.afterJob?.({ id: job.id, batchId: job.batchId, input, outputs } as never) ?? [];
  children?.push(...followers);
  const change = { transition: "complete", result } as const;
  const newJobs = children ?? followers;
  return { write: { change, stage: undefined, skipped, events }, newJobs, inTransaction: undefined };
}

/** The events of the stages that had nothing to do come before that of the one that goes with them. */
function afterSkipped({ job, skipped }: JobRun, event: EventWrite): EventWrite[] {
  return skipped === undefined ? [event] : [...skipped.map(({ name }) => stageCompleted(name, job.lease)), event];
}

async function settleFailure(run: JobRun, thrown: unknown): Promise<RunOutcome> {
  const { job, pipeline, stage } = run;
  const reason: unknown = run.abort.aborted ? run.abort.reason : thrown;
  if (reason instanceof ShuttingDown) {
    run.endStage(reason.code);
    const landed = await run.handIn({
      write: { change: { transition: "release" }, events: [jobReleased("worker shutting down", job.lease)] },
    });
    return landed ? "released" : "lost";
  }
  if (run.abort.aborted || reason instanceof LeaseLost) {
    run.endStage(toDocmillError(reason).code);
    return reason instanceof JobCancelled ? "cancelled" : "lost";
  }

  const error = describeFailure(pipeline, thrown);
  const logged = { code: error.code, message: cleanText(error.message), retryable: error.retryable, stage };
  const delayMs = nextDelayMs(pipeline.retry, job.attempts, error);
  run.endStage(error.code);
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
