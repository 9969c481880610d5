/**
 * What is shown of a batch, changed by the events of its stream. An event that is known already changes nothing, so a
 * replay may overlap with what was seen. Counts are always those of the sheets, never added up.
 */
import type { BatchDetail, SheetJob, SheetOutcome, SheetStage } from "../../../../../src/contract/batches.ts";
import type { BatchState } from "../../../../../src/contract/states.ts";
import { isWithoutSwimmer } from "./sheet-words.ts";

export interface BatchPicture extends Pick<BatchDetail, "batch" | "jobs"> {
  /** Something changed and the event does not say what: only a new state_sync can tell. */
  unclear: boolean;
}

type Told =
  | ({ type: "state_sync" } & Pick<BatchDetail, "batch" | "jobs">)
  | { type: "batch_started" }
  | { type: "job_progress"; jobId: string; stage: SheetStage; message: string | null }
  | ({ type: "job_completed"; jobId: string } & Pick<SheetJob, "resultCode" | "eventCount" | "meetName" | "cached">)
  | ({ type: "job_failed"; jobId: string; errorMessage: string } & Pick<
      SheetJob,
      "errorCode" | "retriable" | "retryCount"
    >)
  | { type: "batch_completed"; status: BatchState; results: readonly SheetOutcome[] }
  | { type: "batch_cancelled" }
  | { type: "batch_retried"; retriedJobs: number };

export type BatchEvent = Told & { eventId: number };

export function applyBatchEvent(picture: BatchPicture | undefined, event: BatchEvent): BatchPicture | undefined {
  if (event.type === "state_sync") return { batch: event.batch, jobs: event.jobs, unclear: false };
  if (!picture || event.eventId <= picture.batch.lastEventId) return picture;
  const { batch, jobs, unclear } = change(picture, event);
  const count = (status: SheetJob["status"]) => jobs.filter((job) => job.status === status).length;
  return {
    batch: {
      ...batch,
      lastEventId: event.eventId,
      completedJobs: count("completed"),
      failedJobs: count("failed"),
      withoutSwimmer: jobs.filter(isWithoutSwimmer).length,
    },
    jobs,
    unclear,
  };
}

function change(picture: BatchPicture, event: Exclude<BatchEvent, { type: "state_sync" }>): BatchPicture {
  switch (event.type) {
    case "batch_started":
      return withStatus(picture, "running");
    case "job_progress": {
      const { jobId, stage, message } = event;
      // A sheet that is to be tried again waits for its turn.
      const status = stage === "queued" ? "pending" : "running";
      const changed = changeJob(picture, jobId, { ...unfinished, status, stage, progressMessage: message });
      return withStatus(changed, "running");
    }
    case "job_completed": {
      const { jobId, resultCode, eventCount, meetName, cached } = event;
      const result = { resultCode, eventCount, meetName, cached };
      return changeJob(picture, jobId, { ...unfinished, status: "completed", stage: "done", ...result });
    }
    case "job_failed": {
      const { jobId, errorCode, errorMessage, retriable, retryCount } = event;
      const failure = { error: errorMessage, errorCode, retriable, retryCount };
      return changeJob(picture, jobId, { ...unfinished, status: "failed", stage: "failed", ...failure });
    }
    case "batch_completed": {
      const changed = event.results.reduce(
        (before, { jobId, status, ...outcome }) =>
          changeJob(before, jobId, { ...outcome, status, stage: stageOfEnd(status), progressMessage: null }),
        picture,
      );
      return withStatus(changed, event.status);
    }
    case "batch_cancelled": {
      const jobs = picture.jobs.map((job) => (isOpen(job) ? { ...job, ...cancelled } : job));
      return withStatus({ ...picture, jobs }, "cancelled");
    }
    case "batch_retried":
      return reopen(picture, event.retriedJobs);
    default:
      // Written by the engine for its own books, such as batch_follow_up_failed.
      return picture;
  }
}

/** What a sheet has that has neither ended well nor badly. */
const unfinished = {
  progressMessage: null,
  error: null,
  errorCode: null,
  retriable: false,
} satisfies Partial<SheetJob>;

const cancelled = { ...unfinished, status: "cancelled", stage: "cancelled" } satisfies Partial<SheetJob>;
const waiting = { ...unfinished, status: "pending", stage: "queued", retryCount: 0 } satisfies Partial<SheetJob>;

function isOpen({ status }: SheetJob): boolean {
  return status === "pending" || status === "running";
}

function stageOfEnd(status: SheetJob["status"]): SheetStage {
  switch (status) {
    case "completed":
      return "done";
    case "failed":
      return "failed";
    case "cancelled":
      return "cancelled";
    case "pending":
    case "running":
      return "queued";
  }
}

function changeJob(picture: BatchPicture, jobId: string, changes: Partial<SheetJob>): BatchPicture {
  return { ...picture, jobs: picture.jobs.map((job) => (job.id === jobId ? { ...job, ...changes } : job)) };
}

function withStatus({ batch, ...rest }: BatchPicture, status: BatchState): BatchPicture {
  return { ...rest, batch: { ...batch, status } };
}

/** The event says how many sheets were started again, not which: that is plain only when it was all of them. */
function reopen(picture: BatchPicture, count: number): BatchPicture {
  const isStopped = ({ status }: SheetJob) => status === "failed" || status === "cancelled";
  const all = picture.jobs.filter(isStopped).length === count;
  const jobs = all ? picture.jobs.map((job) => (isStopped(job) ? { ...job, ...waiting } : job)) : picture.jobs;
  const batch = { ...picture.batch, completedAt: null };
  return withStatus(
    { batch, jobs, unclear: picture.unclear || !all },
    batch.startedAt === null ? "pending" : "running",
  );
}
