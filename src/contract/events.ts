/** The numbered entries of a job's or a batch's log. */
import { z } from "zod";

/** What the engine writes into a job's own stream. Pipelines add their own types beside these. */
export const jobEventTypes = {
  job_started: "A worker has begun with it, or goes on with it.",
  stage_completed: "A stage is done; its result is safe.",
  job_progress: "How far it is.",
  job_retrying: "An attempt failed; another comes by itself.",
  job_released: "Its worker was stopped and has handed it back.",
  job_lost: "Its worker is gone.",
  job_completed: "It is done.",
  job_failed: "It failed for good.",
  job_cancelled: "Somebody cancelled it.",
  job_retried: "Somebody started it again.",
} as const;
export type JobEventType = keyof typeof jobEventTypes;

const ownBatchEventTypes = {
  batch_started: "It is there, with so many sheets.",
  batch_completed: "Its last sheet has ended: what became of each.",
  batch_cancelled: "Somebody cancelled it.",
  batch_retried: "Somebody started sheets of it again.",
  batch_follow_up_failed: "A message about its end could not be prepared.",
} as const;
/** What the engine writes into a batch's stream, besides the job events meant for it. */
export type BatchEventType = keyof typeof ownBatchEventTypes;

/** What a batch's stream tells. */
export const batchEventTypes = {
  ...ownBatchEventTypes,
  job_progress: "How far a sheet is.",
  job_completed: "A sheet has been read.",
  job_failed: "A sheet could not be read.",
} as const;

const StreamEvent = z
  .object({
    streamId: z.uuid(),
    number: z.int().positive(),
    type: z.string(),
    data: z.record(z.string(), z.unknown()),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: "StreamEvent" });

/** Event numbers are PostgreSQL integers. */
const EventNumber = z.coerce.number<number>().int().min(0).max(2_147_483_647).meta({ type: "integer", minimum: 0 });

export const EventQuery = z.object({
  after: EventNumber.default(0).describe("The number of the last event already known."),
  limit: z.coerce.number<number>().int().min(1).max(1_000).default(200).describe("How many at most."),
});
export type EventQuery = z.infer<typeof EventQuery>;

export const EventList = z
  .object({
    items: z.array(StreamEvent),
    lastEventId: z
      .int()
      .describe("The number of the stream's last event: there is more to read until it has been seen."),
  })
  .meta({ id: "EventList" });
export type EventList = z.infer<typeof EventList>;

/** What is no number of a batch's event is answered with a state_sync: a refusal would keep a browser from coming back. */
export const BatchEventId = z.string();

/** In a document's stream: a number, and before it the job where the document has had several. */
export const DocumentEventId = z.string().regex(/^([0-9a-f-]{36}:)?\d{1,9}$/, "Not the id of an event.");

/** A number beyond the stream's end, or older than what is kept, is answered with a state_sync. */
export const LastEventId = EventNumber;
