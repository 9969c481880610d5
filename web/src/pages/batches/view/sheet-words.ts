/** States and stages in the words of those who only want to see a schedule. */
import type { BatchSummary, SheetJob, SheetStage } from "../../../../../src/contract/batches.ts";
import type { BatchState } from "../../../../../src/contract/states.ts";

const batchWords: Readonly<Record<BatchState, string>> = {
  pending: "waiting",
  running: "reading",
  completed: "done",
  partial: "partly done",
  failed: "failed",
  cancelled: "cancelled",
};

const stageWords: Readonly<Record<SheetStage, string>> = {
  queued: "waiting",
  downloading: "downloading",
  checking: "reading",
  uploading_to_ai: "asking the model",
  extracting: "searching",
  caching: "saving",
  done: "done",
  failed: "failed",
  cancelled: "cancelled",
};

/** Why a sheet is tried once more, which the server names by a code. */
const passingWords: Readonly<Record<string, string>> = {
  RATE_LIMIT: "the other side was asked too often",
  TIMEOUT: "it took too long",
  NETWORK_ERROR: "the connection broke",
  AI_OVERLOADED: "the language model is busy",
  SERVICE_UNAVAILABLE: "the other side did not answer",
};

export interface Look {
  state: string;
  word: string;
}

/** Read from end to end, and the swimmer is not in it: nothing is broken, though the server counts it as failed. */
export function isWithoutSwimmer({ status, errorCode }: Pick<SheetJob, "status" | "errorCode">): boolean {
  return status === "failed" && errorCode === "SWIMMER_NOT_FOUND";
}

export function lookOfSheet(job: SheetJob): Look {
  if (isWithoutSwimmer(job)) return { state: "partial", word: "not in this sheet" };
  return { state: job.status, word: stageWords[job.stage] };
}

export function lookOfBatch({ status, completedJobs, withoutSwimmer, totalJobs }: BatchSummary): Look {
  const isAllRead = completedJobs + withoutSwimmer === totalJobs;
  if (status === "partial" && isAllRead) return { state: "completed", word: batchWords.completed };
  if (status === "failed" && isAllRead) return { state: "partial", word: "not found" };
  return { state: status, word: batchWords[status] };
}

/** What is said of it below its name. */
export function describeSheet(job: SheetJob): string | null {
  const { status, progressMessage, meetName, eventCount, error } = job;
  switch (status) {
    case "pending":
    case "running":
      return progressMessage && sayRetry(progressMessage);
    case "completed":
      return [eventCount === 1 ? "1 swim" : `${eventCount ?? 0} swims`, meetName].filter(Boolean).join(" · ");
    case "failed":
      return error;
    case "cancelled":
      return null;
  }
}

/** "Retry 1 after TIMEOUT, in 2 s" → "Trying again in 2 s: it took too long". */
function sayRetry(message: string): string {
  const [, code = "", when = ""] = /^Retry \d+ after ([A-Z_]+)(?:,( in \d+ s))?$/.exec(message) ?? [];
  const reason = passingWords[code];
  return reason === undefined ? message : `Trying again${when}: ${reason}`;
}

export function nameOf({ filename, sourceUrl, sequence }: Pick<SheetJob, "filename" | "sourceUrl" | "sequence">) {
  return filename ?? sourceUrl ?? `Sheet ${sequence}`;
}
