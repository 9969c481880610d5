/** The numbered entries of a job's or a batch's log. */
import { z } from "zod";

/** What the engine writes into a job's own stream. Pipelines add their own types beside these. */
export type JobEventType =
  | "job_started"
  | "stage_completed"
  | "job_progress"
  | "job_retrying"
  | "job_released"
  | "job_lost"
  | "job_completed"
  | "job_failed"
  | "job_cancelled"
  | "job_retried";

/** What the engine writes into a batch's stream, besides the job events meant for it. */
export type BatchEventType =
  | "batch_started"
  | "batch_completed"
  | "batch_cancelled"
  | "batch_retried"
  | "batch_follow_up_failed";

const StreamEvent = z.object({
  streamId: z.uuid(),
  number: z.int().positive(),
  type: z.string(),
  data: z.record(z.string(), z.unknown()),
  createdAt: z.iso.datetime(),
});

/** Event numbers are PostgreSQL integers. */
const EventNumber = z.coerce.number().int().min(0).max(2_147_483_647);

export const EventQuery = z.object({
  after: EventNumber.default(0).describe("The number of the last event already known."),
  limit: z.coerce.number().int().min(1).max(1_000).default(200),
});
export type EventQuery = z.infer<typeof EventQuery>;

export const EventList = z.object({
  items: z.array(StreamEvent),
  lastEventId: z.int().describe("The number of the stream's last event: there is more to read until it has been seen."),
});
export type EventList = z.infer<typeof EventList>;

/** In a document's stream: a number, and before it the job where the document has had several. */
export const DocumentEventId = z.string().regex(/^([0-9a-f-]{36}:)?\d{1,9}$/, "Not the id of an event.");

/** A number beyond the stream's end, or older than what is kept, is answered with a state_sync. */
export const LastEventId = EventNumber;
