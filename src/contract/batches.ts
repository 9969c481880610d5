/** Batches of heat sheets on the wire: what `/api/batch`, `/api/results` and `/api/discover-heatsheets` take and give. */
import { z } from "zod";
import { Box } from "./documents.ts";
import { FilePart } from "./operation.ts";
import { BatchState, JobState } from "./states.ts";

const timestamp = z.iso.datetime();
const succeeded = { success: z.literal(true) };

export const BatchParams = z.object({ id: z.string().describe("The batch's id.") });
export const BatchJobParams = BatchParams.extend({ jobId: z.string().describe("The id of the sheet's job.") });

export const BatchForm = z.object({
  swimmer: z
    .string()
    .describe('The swimmer\'s name: "First Last" or "Last, First"; "(team)" or "(age)" may follow.')
    .meta({ example: "Runa Elmford" }),
  pdfs: z.array(FilePart).optional().describe("Heat sheets as PDF files."),
  urls: z.array(z.string()).optional().describe("Heat sheets to be fetched: a JSON array of URLs, in one field."),
  notifyEmail: z.string().optional().describe("Gets a message when the batch has ended."),
});
export const BatchExtractQuery = z.object({
  extractor: z
    .enum(["auto", "ai"])
    .default("auto")
    .describe("`ai` has a language model read the sheets, where the server has one."),
});

/** Every answer of these routes that is no success. */
export const BatchError = z
  .object({
    success: z.literal(false),
    error: z.string(),
    message: z.string(),
    details: z.record(z.string(), z.unknown()).optional(),
    requestId: z.string().optional(),
  })
  .meta({ id: "BatchError" });

export const BatchCreated = z
  .object({
    ...succeeded,
    batchId: z.uuid(),
    totalJobs: z.int(),
    streamUrl: z.string(),
    estimatedTime: z.string(),
  })
  .meta({ id: "BatchCreated" });
export type BatchCreated = z.infer<typeof BatchCreated>;

export const sheetStages = [
  "queued",
  "downloading",
  "checking",
  "uploading_to_ai",
  "extracting",
  "caching",
  "done",
  "failed",
  "cancelled",
] as const;
export const SheetStage = z.enum(sheetStages).meta({ id: "SheetStage" });
export type SheetStage = z.infer<typeof SheetStage>;

export const BatchSummary = z
  .object({
    id: z.uuid(),
    swimmerName: z.string(),
    status: BatchState,
    totalJobs: z.int(),
    completedJobs: z.int(),
    failedJobs: z.int(),
    /** How many of those were read from end to end, and the swimmer is not in them (SWIMMER_NOT_FOUND). */
    withoutSwimmer: z.int(),
    /** The number of the last event in its stream. */
    lastEventId: z.int(),
    createdAt: timestamp,
    startedAt: timestamp.nullable(),
    completedAt: timestamp.nullable(),
    expiresAt: timestamp,
  })
  .meta({ id: "BatchSummary" });
export type BatchSummary = z.infer<typeof BatchSummary>;

export const SheetJob = z
  .object({
    id: z.uuid(),
    sequence: z.int(),
    filename: z.string().nullable(),
    sourceUrl: z.string().nullable(),
    status: JobState,
    stage: SheetStage,
    progressMessage: z.string().nullable(),
    resultCode: z.string().nullable(),
    meetName: z.string().nullable(),
    eventCount: z.int().nullable(),
    cached: z.boolean(),
    error: z.string().nullable(),
    errorCode: z.string().nullable(),
    /** Whether the same may succeed later. */
    retriable: z.boolean(),
    retryCount: z.int(),
  })
  .meta({ id: "SheetJob" });
export type SheetJob = z.infer<typeof SheetJob>;

export const BatchDetail = z
  .object({ ...succeeded, batch: BatchSummary, jobs: z.array(SheetJob) })
  .meta({ id: "BatchDetail" });
export type BatchDetail = z.infer<typeof BatchDetail>;
/** The same in its stream, whose events are no answers that succeed or fail. */
export const BatchSnapshot = BatchDetail.omit({ success: true }).meta({ id: "BatchSnapshot" });

export const BatchQuery = z.object({
  limit: z.coerce.number<number>().int().min(1).max(500).default(50).describe("How many at most."),
  cursor: z.string().max(2_000).optional().describe("nextCursor of the page before."),
});
export type BatchQuery = z.infer<typeof BatchQuery>;
export const BatchList = z
  .object({ ...succeeded, items: z.array(BatchSummary), nextCursor: z.string().nullable() })
  .meta({ id: "BatchList" });
export type BatchList = z.infer<typeof BatchList>;

/** What became of a sheet, in the event that ends its batch. */
export const SheetOutcome = SheetJob.pick({
  sequence: true,
  filename: true,
  status: true,
  resultCode: true,
  meetName: true,
  eventCount: true,
  cached: true,
  errorCode: true,
})
  .extend({ jobId: z.uuid() })
  .meta({ id: "SheetOutcome" });
export type SheetOutcome = z.infer<typeof SheetOutcome>;

/** Where a swim was found. */
export const SwimSource = z
  .object({
    sequence: z.int(),
    page: z.int(),
    bbox: Box.nullable(),
    by: z.enum(["parser", "model"]),
  })
  .meta({ id: "SwimSource" });
export type SwimSource = z.infer<typeof SwimSource>;

/** One swim of a swimmer. What a sheet does not say is left out. */
export const SwimEvent = z
  .object({
    eventNumber: z.int(),
    eventName: z.string(),
    /** Null where the sheet only ranks: a psych sheet, a distance event without heats, an alternate. */
    heatNumber: z.int().nullable(),
    totalHeats: z.int().optional(),
    lane: z.int().nullable(),
    /** The place in a ranking, which is no lane. */
    rank: z.int().optional(),
    alternate: z.literal(true).optional(),
    swimmerName: z.string(),
    /** As printed: an age, a school year or a year of birth. */
    age: z.string().optional(),
    team: z.string().optional(),
    /** As printed, "NT" included. */
    seedTime: z.string().optional(),
    exhibition: z.literal(true).optional(),
    round: z.string().optional(),
    /** HH:MM, of 24 hours. */
    heatStartTime: z.string().optional(),
    /** The start was computed, not printed. */
    estimated: z.literal(true).optional(),
    /** YYYY-MM-DD. */
    sessionDate: z.string().nullable(),
    sessionName: z.string().optional(),
    relay: z
      .object({
        team: z.string().nullable(),
        letter: z.string().optional(),
        leg: z.int(),
        /** In the order of swimming. */
        members: z.array(z.string()),
      })
      .optional(),
    source: SwimSource,
  })
  .meta({ id: "SwimEvent" });
export type SwimEvent = z.infer<typeof SwimEvent>;

/** A swim that may stand in several sheets: it has the places of all, and the details of the latest issue. */
export const MergedSwimEvent = SwimEvent.extend({ sources: z.array(SwimSource) }).meta({ id: "MergedSwimEvent" });
export type MergedSwimEvent = z.infer<typeof MergedSwimEvent>;

export const SheetFacts = z
  .object({
    meetName: z.string().nullable(),
    /** YYYY-MM-DD. */
    sessionDate: z.string().nullable(),
    /** "YYYY-MM-DD" or "YYYY-MM-DD - YYYY-MM-DD". */
    meetDateRange: z.string().nullable(),
    venue: z.string().nullable(),
  })
  .meta({ id: "SheetFacts" });
export type SheetFacts = z.infer<typeof SheetFacts>;

export const BatchResults = z
  .object({
    ...succeeded,
    swimmerName: z.string(),
    totalEvents: z.int(),
    sources: z.array(
      z.object({
        sequence: z.int(),
        filename: z.string().nullable(),
        sourceUrl: z.string().nullable(),
        ...SheetFacts.shape,
        eventCount: z.int(),
        resultCode: z.string(),
        cached: z.boolean(),
      }),
    ),
    events: z.array(MergedSwimEvent),
    warnings: z.array(z.string()),
    failedSources: z.array(
      z.object({
        sequence: z.int(),
        filename: z.string().nullable(),
        errorCode: z.string(),
        errorMessage: z.string(),
        retriable: z.boolean(),
      }),
    ),
  })
  .meta({ id: "BatchResults" });
export type BatchResults = z.infer<typeof BatchResults>;

/** One sheet's result, as it is shared. */
export const SharedResult = z
  .object({
    ...succeeded,
    code: z.string(),
    swimmerName: z.string(),
    filename: z.string().nullable(),
    sourceUrl: z.string().nullable(),
    ...SheetFacts.shape,
    events: z.array(SwimEvent),
    warnings: z.array(z.string()),
    views: z.int(),
    createdAt: timestamp,
    expiresAt: timestamp,
  })
  .meta({ id: "SharedResult" });
export type SharedResult = z.infer<typeof SharedResult>;

export const CancelledBatch = z.object({ ...succeeded, cancelledJobs: z.int() }).meta({ id: "CancelledBatch" });
export const RetriedBatch = z.object({ ...succeeded, retriedJobs: z.int() }).meta({ id: "RetriedBatch" });
export const Succeeded = z.object(succeeded).meta({ id: "Succeeded" });

export const NotifyRequest = z
  .object({ email: z.string() })
  .meta({ id: "NotifyRequest", examples: [{ email: "someone@example.com" }] });
/** `notice` says what stands in the way of the message. */
export const NotifyAnswer = z.object({ ...succeeded, notice: z.string().optional() }).meta({ id: "NotifyAnswer" });

export const ResultParams = z.object({ code: z.string().describe("The code it is shared under.") });

export const CalendarQuery = z.object({
  alarm: z.enum(["5", "10", "15"]).default("10").describe("Minutes before a start at which the calendar reminds."),
});

export const DiscoverRequest = z
  .object({ url: z.string() })
  .meta({ id: "DiscoverRequest", examples: [{ url: "https://example.com/meet" }] });
export const DiscoveredSheets = z
  .object({
    ...succeeded,
    pdfs: z.array(z.object({ url: z.string(), title: z.string() })),
  })
  .meta({ id: "DiscoveredSheets" });
export type DiscoveredSheets = z.infer<typeof DiscoveredSheets>;
