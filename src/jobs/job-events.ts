/** The events the engine writes, each made in one place so that every writer gives it the same fields. */
import type { JobEventType } from "../contract/events.ts";
import type { DocmillError } from "../errors.ts";
import type { EventWrite, ProgressWrite } from "./queries/job-write.ts";

type EngineEvent = EventWrite & { type: JobEventType };

export function stageCompleted(stage: string, lease: number): EngineEvent {
  return { type: "stage_completed", data: { stage, lease }, saidByRow: true };
}

export function jobProgress(stage: string, progress: ProgressWrite, lease: number): EngineEvent {
  const { detail: _, ...shown } = progress;
  return { type: "job_progress", data: { stage, ...shown, lease }, toBatch: true };
}

export function jobCompleted(described: Record<string, unknown> | null | undefined, lease: number): EngineEvent {
  if (!described) return { type: "job_completed", data: { lease }, toBatch: true, saidByRow: true };
  const saidByRow = Object.keys(described).length === 0;
  return { type: "job_completed", data: { ...described, lease }, toBatch: true, saidByRow };
}

export function jobFailed(
  error: Pick<DocmillError, "code" | "message" | "retryable">,
  attempt: number,
  lease: number,
): EngineEvent {
  const data = {
    errorCode: error.code,
    errorMessage: error.message,
    retriable: error.retryable,
    retryCount: attempt - 1,
    lease,
  };
  return { type: "job_failed", data, toBatch: true };
}

export function jobRetrying(
  error: Pick<DocmillError, "code" | "message">,
  attempt: number,
  delayMs: number,
  lease: number,
): EngineEvent {
  return {
    type: "job_retrying",
    data: { attempt, errorCode: error.code, errorMessage: error.message, delayMs, lease },
    toBatch: true,
  };
}

export function jobReleased(reason: string, lease: number): EngineEvent {
  return { type: "job_released", data: { reason, lease } };
}

export function jobLost(workerId: string, lease: number): EngineEvent {
  return { type: "job_lost", data: { workerId, lease } };
}

export const jobCancelled: EngineEvent = { type: "job_cancelled", data: {} };
export const jobRetried: EngineEvent = { type: "job_retried", data: {} };
