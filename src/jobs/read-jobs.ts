/** Jobs as `/api/jobs` gives them. What is read here is never stale: lost jobs are taken back first. */
import type { EventList, EventQuery } from "../contract/events.ts";
import type { JobDetail, JobItemList, JobItemQuery, JobList, JobQuery, JobSummary } from "../contract/jobs.ts";
import { isEnded } from "../contract/states.ts";
import { sql } from "../db/sql.ts";
import { readEvents } from "../events/read-events.ts";
import { decodeCursor, encodeCursor, isInt4, isUuid } from "./cursor.ts";
import { explainWaiting } from "./explain-waiting.ts";
import { jobNotFound } from "./person-actions.ts";
import { findJob, type JobDetailRecord } from "./queries/find-job.ts";
import { type JobRecord, jobColumns, toJobSummary } from "./queries/job-columns.ts";
import { type ChangedJobs, listChangedJobs } from "./queries/list-changed-jobs.ts";
import { listItems } from "./queries/list-items.ts";
import { type JobPosition, listJobs } from "./queries/list-jobs.ts";
import type { Registry } from "./registry.ts";
import { type JobSource, rescueBeforeReading } from "./rescue-before-reading.ts";

/** Throws NOT_FOUND. */
export async function readJob(source: JobSource, id: string): Promise<JobDetail> {
  await rescueBeforeReading(source);
  const row = await findJob(source.db, id);
  if (!row) throw jobNotFound(id);
  return {
    ...toJobSummary(summaryOf(row), source.registry),
    input: row.input,
    result: row.result,
    detail: row.detail,
    stages: toStages(row, source.registry),
    items: { completed: row.itemsCompleted, failed: row.itemsFailed, errors: row.itemErrors ?? [] },
    errorLog: (row.errorLog ?? []).map((entry) => ({ ...entry, createdAt: toIso(entry.createdAt) })),
    spend: {
      paidCalls: row.paidCalls,
      hits: row.hits,
      tokensIn: row.tokensIn,
      tokensOut: row.tokensOut,
      cost: row.costMicros === null ? null : row.costMicros / 1e6,
    },
    worker:
      row.workerId === null ? null : { id: row.workerId, host: row.workerHost as string, pid: row.workerPid as number },
    waiting: row.status === "pending" ? await explainWaiting(source, row) : null,
  };
}

/** Undefined where there is none any more. */
export async function findJobSummary(source: JobSource, id: string): Promise<JobSummary | undefined> {
  const [row] = await source.db.query<JobRecord>(
    sql`select ${jobColumns} from jobs j left join workers w on w.id = j.worker_id where j.id = ${id}`,
  );
  return row && toJobSummary(row, source.registry);
}

/** A page of jobs, newest first. Jobs that are created meanwhile do not move the pages that follow. */
export async function readJobList(source: JobSource, { limit, cursor, ...filter }: JobQuery): Promise<JobList> {
  const after = cursor === undefined ? undefined : toPosition(cursor, filter.batch !== undefined);
  await rescueBeforeReading(source);
  const rows = await listJobs(source.db, filter, after, limit + 1);
  const items = rows.slice(0, limit).map((row) => toJobSummary(row, source.registry));
  return { items, nextCursor: rows.length > limit ? cursorAfter(items.at(-1) as JobSummary, filter.batch) : null };
}

/** Jobs that someone who watches has not seen as they are, newest first. */
export async function readChangedJobs(source: JobSource, changed: ChangedJobs, limit: number): Promise<JobSummary[]> {
  await rescueBeforeReading(source);
  const rows = await listChangedJobs(source.db, changed, limit);
  return rows.map((row) => toJobSummary(row, source.registry));
}

/** Throws NOT_FOUND. */
export async function readJobItems(source: JobSource, id: string, query: JobItemQuery): Promise<JobItemList> {
  const position = query.cursor === undefined ? undefined : decodeCursor(query.cursor, isItemPosition);
  const after = position && { stage: position[0], key: position[1] };
  await requireJob(source, id);
  const done = query.state === undefined ? undefined : query.state === "completed";
  const rows = await listItems(source.db, id, done, after, query.limit + 1);
  const items = rows.slice(0, query.limit).map(({ done, finishedAt, ...item }) => ({
    ...item,
    status: done ? ("completed" as const) : ("failed" as const),
    finishedAt: finishedAt.toISOString(),
  }));
  const last = items.at(-1);
  return { items, nextCursor: last && rows.length > query.limit ? encodeCursor([last.stage, last.key]) : null };
}

/** Throws NOT_FOUND. */
export async function readJobEvents(source: JobSource, id: string, { after, limit }: EventQuery): Promise<EventList> {
  const { lastEventId } = await requireJob(source, id);
  const events = await readEvents(source.db, [{ streamId: id, after }], limit);
  return {
    items: events.map((event) => ({ ...event, createdAt: event.createdAt.toISOString() })),
    // An event may have come after the job was read.
    lastEventId: Math.max(lastEventId, events.at(-1)?.number ?? 0),
  };
}

/** Whether a job has ended, and with which event. Throws NOT_FOUND. */
export async function requireJob(source: JobSource, id: string): Promise<{ ended: boolean; lastEventId: number }> {
  await rescueBeforeReading(source);
  const [row] = await source.db.query<{ status: JobSummary["status"]; lastEvent: number }>(
    sql`select status, last_event from jobs where id = ${id}`,
  );
  if (!row) throw jobNotFound(id);
  return { ended: isEnded(row.status), lastEventId: row.lastEvent };
}

function summaryOf(row: JobDetailRecord) {
  const { input, result, detail, stages, itemsCompleted, itemsFailed, itemErrors, errorLog, ...rest } = row;
  const { paidCalls, hits, tokensIn, tokensOut, costMicros, workerId, workerHost, workerPid, ...summary } = rest;
  return summary;
}

/** The pipeline's stages in order, after those it had when the job began and no longer has. */
function toStages(row: JobDetailRecord, registry: Registry): JobDetail["stages"] {
  const { kind, status, startedAt, completedAt, stages } = row;
  const done = new Map((stages ?? []).map((stage) => [stage.name, stage]));
  const known = registry.find(kind)?.stages.map(({ name }) => name) ?? [];
  const names = [...[...done.keys()].filter((name) => !known.includes(name)), ...known];
  const current = names.find((name) => !done.has(name));
  // A stage starts where the one before it ended, or where this attempt began.
  let since = startedAt?.getTime() ?? 0;
  return names.map((name) => {
    const stage = done.get(name);
    if (stage) {
      const [started, finished] = [Date.parse(stage.startedAt), Date.parse(stage.finishedAt)];
      since = Math.max(since, finished);
      return { name, status: "completed", ...times(started, finished) };
    }
    // The end of the job is the checkpoint of its last stage.
    if (status === "completed") return { name, status, ...times(since, completedAt?.getTime() ?? since) };
    const running = status === "running" && name === current;
    return { name, status: running ? "running" : "pending", ...times(running ? since : undefined) };
  });
}

function times(started?: number, finished?: number) {
  return {
    startedAt: started === undefined ? null : new Date(started).toISOString(),
    finishedAt: finished === undefined ? null : new Date(finished).toISOString(),
    durationMs: started === undefined || finished === undefined ? null : finished - started,
  };
}

/** PostgreSQL's JSON gives times with an offset. */
function toIso(time: string): string {
  return new Date(time).toISOString();
}

function cursorAfter({ id, sequence }: JobSummary, batch: string | undefined): string {
  return encodeCursor(batch === undefined ? [id] : [id, sequence ?? 0]);
}

function toPosition(cursor: string, inBatch: boolean): JobPosition {
  if (!inBatch) return { id: decodeCursor(cursor, isJobPosition)[0], sequence: null };
  const [id, sequence] = decodeCursor(cursor, isBatchPosition);
  return { id, sequence };
}

function isJobPosition(parts: readonly unknown[]): parts is [string] {
  return parts.length === 1 && isUuid(parts[0]);
}

function isBatchPosition(parts: readonly unknown[]): parts is [string, number] {
  return parts.length === 2 && isUuid(parts[0]) && isInt4(parts[1]);
}

function isItemPosition(parts: readonly unknown[]): parts is [string, string] {
  return (
    parts.length === 2 && parts.every((part) => typeof part === "string" && part.isWellFormed() && !part.includes("\0"))
  );
}
