/** Jobs on the wire: what `/api/jobs` takes and gives. */
import { z } from "zod";
import { JobState } from "./states.ts";

const timestamp = z.iso.datetime();

export const Progress = z.object({
  totalItems: z.int().nullable(),
  completedItems: z.int(),
  failedItems: z.int(),
  currentItem: z.string().nullable(),
  lastCompletedItem: z.string().nullable(),
  message: z.string().nullable(),
});

export const JobSummary = z.object({
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
  /** The stage it is in, or stopped in; null before the first and after the last. */
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
});
export type JobSummary = z.infer<typeof JobSummary>;

export const JobStage = z.object({
  name: z.string(),
  status: z.enum(["completed", "running", "pending"]),
  startedAt: timestamp.nullable(),
  finishedAt: timestamp.nullable(),
  durationMs: z.number().nullable(),
});

export const JobItemError = z.object({
  stage: z.string(),
  key: z.string(),
  error: z.string(),
  error_type: z.enum(["retryable", "terminal"]),
  code: z.string(),
});

export const JobErrorEntry = z.object({
  attempt: z.int(),
  code: z.string(),
  message: z.string(),
  retryable: z.boolean(),
  stage: z.string().nullable(),
  workerId: z.uuid().nullable(),
  createdAt: timestamp,
});

export const Spend = z.object({
  paidCalls: z.int(),
  hits: z.int(),
  tokensIn: z.int(),
  tokensOut: z.int(),
  /** In the provider's currency; null where no call said what it cost. */
  cost: z.number().nullable(),
});

export const waitingReasons = ["backoff", "no_worker", "limit", "batch_limit", "queue"] as const;

/** Why a pending job has not started. */
export const Waiting = z.object({
  reason: z.enum(waitingReasons),
  /** For people: what blocks it and what would help. */
  explanation: z.string(),
  /** How many jobs of its kind go first; null beyond what is worth counting. */
  position: z.int().nullable(),
  /** When it should start, from measured durations; null while nothing has been measured. */
  estimatedStartAt: timestamp.nullable(),
});
export type Waiting = z.infer<typeof Waiting>;

export const JobDetail = JobSummary.extend({
  input: z.unknown(),
  result: z.unknown(),
  detail: z.unknown(),
  stages: z.array(JobStage),
  items: z.object({ completed: z.int(), failed: z.int(), errors: z.array(JobItemError) }),
  errorLog: z.array(JobErrorEntry),
  spend: Spend,
  worker: z.object({ id: z.uuid(), host: z.string(), pid: z.int() }).nullable(),
  waiting: Waiting.nullable(),
});
export type JobDetail = z.infer<typeof JobDetail>;

export const JobQuery = z.object({
  kind: z.string().optional(),
  state: JobState.optional(),
  batch: z.uuid().optional(),
  limit: z.coerce.number().int().min(1).max(500).default(50),
  cursor: z.string().optional(),
});
export type JobQuery = z.infer<typeof JobQuery>;

export const JobList = z.object({ items: z.array(JobSummary), nextCursor: z.string().nullable() });
export type JobList = z.infer<typeof JobList>;

export const NewJobRequest = z.object({
  kind: z.string().min(1).max(63),
  input: z.unknown(),
  priority: z.int().min(-100).max(100).default(0),
  /** Not before so many milliseconds from now; a year at most. */
  delayMs: z.int().min(0).max(31_536_000_000).default(0),
});

export const NewJobAnswer = z.object({ id: z.uuid(), created: z.boolean() });
