/** The states of jobs and batches. Nothing else is ever stored or shown. */
import { z } from "zod";

export const jobStates = ["pending", "running", "completed", "failed", "cancelled"] as const;
export const JobState = z.enum(jobStates).meta({ id: "JobState" });
export type JobState = z.infer<typeof JobState>;

const batchStates = ["pending", "running", "completed", "partial", "failed", "cancelled"] as const;
export const BatchState = z.enum(batchStates).meta({ id: "BatchState" });
export type BatchState = z.infer<typeof BatchState>;

const endedJobStates: readonly JobState[] = ["completed", "failed", "cancelled"];

/** Whether a job in this state stays there unless a person retries it. */
export function isEnded(state: JobState): boolean {
  return endedJobStates.includes(state);
}
