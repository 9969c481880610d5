/** What can be written for a job, and the rows it becomes for the statement in write-jobs.ts. */
import type { BatchEventType } from "../../contract/events.ts";
import type { JobState } from "../../contract/states.ts";
import { type TransitionName, transitions } from "../lifecycle.ts";

/** A change of state with what belongs to it. */
export interface StateChange {
  transition: Exclude<TransitionName, "claim">;
  error?: { code: string; message: string; retryable: boolean; stage?: string };
  /** For a job that goes back to pending: when it may start again, from now. Without it, at once. */
  delayMs?: number;
  result?: unknown;
  /** Set when a person acts on the whole batch: the batch gets this one event, and the state that goes with it. */
  batchEvent?: Extract<BatchEventType, "batch_cancelled" | "batch_retried">;
}

export interface StageWrite {
  name: string;
  output: unknown;
  startedMsAgo: number;
}

export interface ItemError {
  error: string;
  error_type: "retryable" | "terminal";
  code: string;
}

interface ItemWrite {
  stage: string;
  key: string;
  output?: unknown;
  error?: ItemError;
}

/** Absolute, never a delta; what is left out stays as it is. */
export interface ProgressWrite {
  total?: number;
  completed?: number;
  failed?: number;
  current?: string | null;
  lastCompleted?: string;
  message?: string | null;
  detail?: unknown;
}

export interface EventWrite {
  type: string;
  data: Record<string, unknown>;
  /** Also append it to the batch's stream, with jobId and sequence added. */
  toBatch?: boolean;
  /** The row of the job or the stage that is written with it says the same: it gets none of its own in the job's stream. */
  saidByRow?: boolean;
}

export interface JobWrite {
  jobId: string;
  /** The lease the write was made under; null for a person's change, which holds no lease but has locked the row. */
  lease: number | null;
  /** The length of the job's stream the write was made for: of a write and its repetition one lands. */
  afterEvent?: number;
  /** The state the write was made for; `running`, if left out. */
  was?: JobState;
  /** Set for the first write of a job that was claimed ahead: it starts the job, under `lease`, and does the rest besides. */
  starts?: { workerId: string; msAgo: number };
  /** Set where it is in no batch and under no limit, as its holder knows from the claim: then those are not looked at. */
  alone?: { kind: string };
  /** The limit it has been running under, which its end frees. */
  limitName?: string | null;
  /** Who ran it, for the error log. */
  workerId?: string | null;
  change?: StateChange;
  stage?: StageWrite;
  /** Stages before it that had nothing to do. */
  skipped?: StageWrite[];
  items?: ItemWrite[];
  progress?: ProgressWrite;
  events: EventWrite[];
}

/** Every write has these. */
export const writeColumns = {
  job_id: "uuid",
  lease: "integer",
  after_event: "integer",
  was: "text",
  to_state: "text",
  event_count: "integer",
} as const;

/** What only some writes have. A statement has all columns of a family or none. */
export const families = {
  /** Of jobs that were claimed ahead and not started yet, as far as their rows know. */
  starting: { starts: "boolean", start_us: "double precision", starter: "uuid" },
  /** Some of these have a stream already: then each start needs a row in it. */
  restarting: {},
  /** Some go back to where they wait, some leave it without having been claimed. */
  returning: {},
  leaving: {},
  result: { result: "jsonb" },
  ending: {
    worker_id: "uuid",
    attempts: "text",
    delay_ms: "double precision",
    error_code: "text",
    error_message: "text",
    error_retryable: "boolean",
    error_stage: "text",
  },
  sharing: { limit_name: "text", batch_event: "text" },
  /** What the batch is told: [{ type, data }]. Measured on completions: as a recordset 21 µs each, as elements 2. */
  telling: { told: "jsonb" },
  /** Those that need a row in the job's stream: [{ place, type, data }]. */
  events: { events: "jsonb" },
  stage: { stage: "text", stage_output: "jsonb", stage_us: "double precision", stage_place: "integer" },
  /** Stages that had nothing to do: [{ name, output, ms, place }]. */
  skipped: { skipped: "jsonb" },
  /** [{ stage, key, output, error }] */
  items: { items: "jsonb" },
  progress: {
    total: "integer",
    completed: "integer",
    failed: "integer",
    current_item: "text",
    clear_current: "boolean",
    last_completed: "text",
    message: "text",
    clear_message: "boolean",
    detail: "jsonb",
  },
} as const;
export type Family = keyof typeof families;

type ColumnsOf<F> = F extends Record<string, infer _> ? keyof F : never;
export type OpColumn = keyof typeof writeColumns | ColumnsOf<(typeof families)[Family]>;
type OpRow = { [K in OpColumn]?: unknown };

/** Jobs that run side by side are mostly of one sort and equally far: then these say the same of all. */
export const mostlyAlike: readonly OpColumn[] = [
  "lease",
  "after_event",
  "was",
  "to_state",
  "event_count",
  "starts",
  "starter",
];

/** A row for each write, in the order of their jobs' ids, in which rows are locked everywhere; and what some of them need. */
export function toRows(writes: readonly JobWrite[]): { rows: OpRow[]; families: ReadonlySet<Family> } {
  const families = new Set<Family>();
  const inOrder = [...writes].sort((a, b) => (a.jobId < b.jobId ? -1 : 1));
  return { rows: inOrder.map((write) => toRow(write, families)), families };
}

function toRow(write: JobWrite, families: Set<Family>): OpRow {
  const { starts, change, progress, stage, skipped, items, events } = write;
  const op: OpRow = {
    job_id: write.jobId,
    lease: write.lease,
    after_event: write.afterEvent,
    was: starts ? "pending" : (write.was ?? "running"),
    to_state: change && transitions[change.transition].to,
    event_count: events.length + eventsBefore(write),
  };
  if (starts) {
    add("starting", { starts: true, start_us: toMicros(starts.msAgo), starter: starts.workerId }, op, families);
    if (write.afterEvent !== 0) families.add("restarting");
  }
  if (change?.result !== undefined && change.result !== null) add("result", { result: change.result }, op, families);
  if (change && change.transition !== "complete") {
    add("ending", endingOf(write, change), op, families);
    if (op.to_state === "pending") families.add("returning");
    else if (op.was === "pending" && !starts) families.add("leaving");
  }
  if (!write.alone) {
    add("sharing", { limit_name: write.limitName, batch_event: change?.batchEvent }, op, families);
    if (events.some(({ toBatch }) => toBatch)) add("telling", { told: toldBy(write) }, op, families);
  }
  if (!events.every(({ saidByRow }) => saidByRow)) add("events", { events: rowsFor(write) }, op, families);
  if (progress) add("progress", progressOf(progress), op, families);
  if (stage) add("stage", stageOf(write, stage), op, families);
  if (skipped && skipped.length > 0)
    add("skipped", { skipped: skipped.map((one) => skippedOf(write, one)) }, op, families);
  if (items && items.length > 0) add("items", { items }, op, families);
  return op;
}

function add(family: Family, columns: OpRow, op: OpRow, families: Set<Family>): void {
  families.add(family);
  Object.assign(op, columns);
}

/** How many of the job's events go before those of the write itself. */
function eventsBefore({ starts }: JobWrite): number {
  return starts ? 1 : 0;
}

function toldBy({ events }: JobWrite) {
  return events.flatMap(({ toBatch, type, data }) => (toBatch ? [{ type, data }] : []));
}

function stageOf(write: JobWrite, { name, output, startedMsAgo }: StageWrite): OpRow {
  return { stage: name, stage_output: output, stage_us: toMicros(startedMsAgo), stage_place: placeOf(write, name) };
}

/** Whole: as finely as PostgreSQL keeps times, and written in a third of the time that fractions take. */
function toMicros(ms: number): number {
  return Math.round(ms * 1_000);
}

function skippedOf(write: JobWrite, { name, output, startedMsAgo }: StageWrite) {
  return { name, output, ms: startedMsAgo, place: placeOf(write, name) };
}

/** Where the end of the stage stands among the events that the write adds. */
function placeOf(write: JobWrite, stage: string): number | undefined {
  const index = write.events.findIndex(({ data, saidByRow }) => saidByRow && data.stage === stage);
  return index === -1 ? undefined : index + 1 + eventsBefore(write);
}

function rowsFor(write: JobWrite) {
  return write.events.flatMap(({ type, data, saidByRow }, index) =>
    saidByRow ? [] : [{ place: index + 1 + eventsBefore(write), type, data }],
  );
}

function endingOf({ workerId }: JobWrite, { transition, delayMs, error }: StateChange): OpRow {
  return {
    worker_id: workerId,
    attempts: transition === "release" ? "give back" : transition === "retry" ? "reset" : undefined,
    delay_ms: delayMs,
    error_code: error?.code,
    error_message: error?.message,
    error_retryable: error?.retryable,
    error_stage: error?.stage,
  };
}

function progressOf({ total, completed, failed, current, lastCompleted, message, detail }: ProgressWrite): OpRow {
  return {
    total,
    completed,
    failed,
    current_item: current,
    clear_current: current === null || undefined,
    last_completed: lastCompleted,
    message,
    clear_message: message === null || undefined,
    detail,
  };
}
