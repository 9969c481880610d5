/** The numbered entries of a job's or a batch's log. */
import { z } from "zod";

/** What the engine writes into a job's own stream. Pipelines add their own types beside these. */
export const jobEventTypes = [
  "job_started",
  "stage_completed",
  "job_progress",
  "job_retrying",
  "job_released",
  "job_lost",
  "job_completed",
  "job_failed",
  "job_cancelled",
  "job_retried",
] as const;

/** What the engine writes into a batch's stream, besides the job events meant for it. */
export const batchEventTypes = ["batch_started", "batch_completed", "batch_cancelled", "batch_retried"] as const;

export const StreamEvent = z.object({
  streamId: z.uuid(),
  number: z.int().positive(),
  type: z.string(),
  data: z.record(z.string(), z.unknown()),
  createdAt: z.iso.datetime(),
});
