/** Jobs on the wire: what `/api/jobs` takes and gives. */
import { z } from "zod";
import { JobState } from "./states.ts";

const timestamp = z.iso.datetime();

const Progress = z.object({
  totalItems: z.int().nullable(),
  completedItems: z.int(),
  failedItems: z.int(),
  currentItem: z.string().nullable(),
  lastCompletedItem: z.string().nullable(),
  message: z.string().nullable(),
});

export const JobSummary = z
  .object({
    id: z.uuid(),
    kind: z.string(),
    status: JobState,
    priority: z.int(),
    batchId: z.uuid().nullable(),
    sequence: z.int().nullable(),
    parentId: z.uuid().nullable(),
    lockKey: z.string().nullable(),
    attempts: z.int(),
    maxAttempts: z.int(),
    /** The stage it is in, will start with or stopped in; null once completed, or where the server does not know its kind. */
    stage: z.string().nullable(),
    ...Progress.shape,
    createdAt: timestamp,
    runAt: timestamp,
    startedAt: timestamp.nullable(),
    heartbeatAt: timestamp.nullable(),
    completedAt: timestamp.nullable(),
    errorCode: z.string().nullable(),
    errorMessage: z.string().nullable(),
    /** The number of the last event in its stream. */
    lastEventId: z.int(),
  })
  .meta({ id: "JobSummary" });
export type JobSummary = z.infer<typeof JobSummary>;

const JobStage = z
  .object({
    name: z.string(),
    /** A stage that failed is pending: it is where a retry goes on. */
    status: z.enum(["completed", "running", "pending"]),
    startedAt: timestamp.nullable(),
    finishedAt: timestamp.nullable(),
    durationMs: z.number().nullable(),
  })
  .meta({ id: "JobStage" });

const ItemError = z.object({ error: z.string(), error_type: z.enum(["retryable", "terminal"]), code: z.string() });

const JobItemError = z.object({ stage: z.string(), key: z.string(), ...ItemError.shape }).meta({ id: "JobItemError" });

export const JobItem = z
  .object({
    stage: z.string(),
    key: z.string(),
    status: z.enum(["completed", "failed"]),
    output: z.unknown(),
    error: ItemError.nullable(),
    finishedAt: timestamp,
  })
  .meta({ id: "JobItem" });

/** One failed attempt. */
const JobErrorEntry = z
  .object({
    attempt: z.int(),
    code: z.string(),
    message: z.string(),
    retryable: z.boolean(),
    stage: z.string().nullable(),
    workerId: z.uuid().nullable(),
    createdAt: timestamp,
  })
  .meta({ id: "JobErrorEntry" });

const Spend = z
  .object({
    paidCalls: z.int(),
    hits: z.int(),
    tokensIn: z.int(),
    tokensOut: z.int(),
    /** In the provider's currency; null where no call said what it cost. */
    cost: z.number().nullable(),
  })
  .meta({ id: "Spend" });

const waitingReasons = ["backoff", "no_worker", "limit", "batch_limit", "queue"] as const;

/** Why a pending job has not started. */
export const Waiting = z
  .object({
    reason: z.enum(waitingReasons),
    /** For people: what blocks it and what would help. */
    explanation: z.string(),
    /** How many jobs of its kind go first; null beyond what is worth counting. */
    position: z.int().nullable(),
    /** When it should start, from measured durations; null while nothing has been measured. */
    estimatedStartAt: timestamp.nullable(),
  })
  .meta({ id: "Waiting" });
export type Waiting = z.infer<typeof Waiting>;

export const JobDetail = JobSummary.extend({
  input: z.unknown(),
  result: z.unknown(),
  detail: z.unknown(),
  stages: z.array(JobStage),
  /** Checkpointed items of all stages, with the first hundred errors; `/items` lists them all. */
  items: z.object({ completed: z.int(), failed: z.int(), errors: z.array(JobItemError) }),
  errorLog: z.array(JobErrorEntry),
  spend: Spend,
  worker: z.object({ id: z.uuid(), host: z.string(), pid: z.int() }).nullable(),
  waiting: Waiting.nullable(),
}).meta({ id: "JobDetail" });
export type JobDetail = z.infer<typeof JobDetail>;

/** Ids come in lower case from the database, and streams are found by comparing them. */
const Id = z.uuid().toLowerCase();
const Kind = z
  .string()
  .regex(/^[a-z][a-z0-9_.-]{0,62}$/, "Lower-case letters, digits, dots, dashes and underscores, 63 at most.");
const Limit = z.coerce.number<number>().int().min(1).max(500).describe("How many at most.");
const Cursor = z.string().max(2_000).describe("nextCursor of the page before.");

export const JobParams = z.object({ id: Id.describe("The job's id.") });

export const JobQuery = z.object({
  kind: Kind.optional().describe("Only jobs of this kind."),
  state: JobState.optional().describe("Only jobs in this state."),
  batch: Id.optional().describe("Only jobs of this batch."),
  since: timestamp.optional().describe("Only jobs created at this time or later."),
  before: timestamp.optional().describe("Only jobs created before this time."),
  limit: Limit.default(50),
  cursor: Cursor.optional(),
});
export type JobQuery = z.infer<typeof JobQuery>;

export const JobList = z
  .object({ items: z.array(JobSummary), nextCursor: z.string().nullable() })
  .meta({ id: "JobList" });
export type JobList = z.infer<typeof JobList>;

export const JobItemQuery = z.object({
  state: z.enum(["completed", "failed"]).optional().describe("Only items in this state."),
  limit: Limit.default(100),
  cursor: Cursor.optional(),
});
export type JobItemQuery = z.infer<typeof JobItemQuery>;

export const JobItemList = z
  .object({ items: z.array(JobItem), nextCursor: z.string().nullable() })
  .meta({ id: "JobItemList" });
export type JobItemList = z.infer<typeof JobItemList>;

export const JobFileParams = JobParams.extend({
  name: z
    .string()
    .regex(/^[a-z0-9_-](?:[a-z0-9._-]{0,198}[a-z0-9_-])?$/, "must be lower-case letters, digits, -, _ and .")
    .describe("The file's name."),
});
export const JobFileList = z
  .object({ items: z.array(z.object({ name: z.string(), size: z.int() })), nextCursor: z.string().nullable() })
  .meta({ id: "JobFileList" });

export const NewJobRequest = z
  .strictObject({
    kind: Kind,
    input: z.unknown().default({}),
    priority: z.int().min(-100).max(100).default(0),
    /** Not before so many milliseconds from now; a year at most. */
    delayMs: z.int().min(0).max(31_536_000_000).default(0),
  })
  .meta({ id: "NewJobRequest", examples: [{ kind: "word-count", input: { folder: "texts" } }] });

export const NewJobAnswer = z.object({ id: z.uuid(), created: z.boolean() }).meta({ id: "NewJobAnswer" });
