/** The entries of a batch's stream as people get them: the engine's own, under the names and with the fields of the contract. */
import { retryMessage } from "./queries/list-sheet-jobs.ts";

export interface StoredBatchEvent {
  type: string;
  data: Record<string, unknown>;
}

/** What each type tells, besides its number. */
const fields: Readonly<Record<string, readonly string[]>> = {
  batch_started: ["batchId", "totalJobs", "swimmerName"],
  job_progress: ["jobId", "sequence", "stage", "message"],
  job_completed: ["jobId", "sequence", "resultCode", "eventCount", "meetName", "cached"],
  job_failed: ["jobId", "sequence", "errorCode", "errorMessage", "retriable", "retryCount"],
  batch_completed: ["status", "completedJobs", "failedJobs", "totalEvents", "results"],
  batch_cancelled: ["cancelledJobs"],
  batch_retried: ["retriedJobs"],
};

/** One event for one: numbers have no gaps, so none is left out. */
export function toBatchEvent(stored: StoredBatchEvent): StoredBatchEvent {
  const { type, data } = toProgress(stored);
  const told = Object.hasOwn(fields, type) ? fields[type] : undefined;
  if (!told) return { type, data };
  return { type, data: Object.fromEntries(told.map((name) => [name, data[name] ?? null])) };
}

function toProgress({ type, data }: StoredBatchEvent): StoredBatchEvent {
  if (type === "job_retrying") {
    const { attempt, errorCode, delayMs } = data as { attempt: number; errorCode: string; delayMs: number };
    const message = `${retryMessage(attempt, errorCode)}, in ${Math.ceil(delayMs / 1000)} s`;
    return { type: "job_progress", data: { ...data, stage: "queued", message } };
  }
  if (type === "job_progress" && data.message === undefined) {
    return { type, data: { ...data, message: `${data.completed ?? 0} of ${data.total ?? "?"} pages` } };
  }
  return { type, data };
}
