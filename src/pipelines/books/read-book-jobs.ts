/** The jobs of a book as its users know them. What is read here is never stale: lost jobs are dealt with before. */
import type { BookJob, BookJobType } from "../../contract/books.ts";
import { DocmillError } from "../../errors.ts";
import { type Database, isUuid, type Sql, sql } from "../../jobs/index.ts";

interface JobRow {
  id: string;
  kind: BookJobType;
  bookId: string;
  status: BookJob["status"];
  totalItems: number | null;
  plannedItems: number | null;
  completedItems: number;
  failedItems: number;
  currentItem: string | null;
  lastCompletedItem: number | null;
  /** The first of its pages that is not done. */
  firstOpen: number | null;
  createdAt: Date;
  startedAt: Date | null;
  completedAt: Date | null;
  heartbeatAt: Date | null;
  errorCode: string | null;
  errorMessage: string | null;
  pageErrors: Record<string, { error: string; error_type: string }> | null;
  created: number;
  merged: number;
}

function jobsWhere(condition: Sql): Sql {
  return sql`
    select j.id, j.kind, j.input ->> 'bookId' as book_id, j.status, j.total_items,
      jsonb_array_length(j.input -> 'pageIds') as planned_items, j.completed_items, j.failed_items, j.current_item,
      -- Pages are read side by side, so the one that was done last may stand before others that are done.
      (select max(i.key::integer) from job_items i where i.job_id = j.id and i.done) as last_completed_item,
      (select min(p.page_num) from book_pages p
       where p.id in (select id::uuid from jsonb_array_elements_text(j.input -> 'pageIds') as wanted (id))
         and not exists (select from job_items i where i.job_id = j.id and i.done and i.key = p.page_num::text)) as first_open,
      j.created_at, j.started_at, j.completed_at, w.heartbeat_at, j.error_code, j.error_message,
      (select jsonb_object_agg(i.key, jsonb_build_object('error', i.error -> 'error', 'error_type', i.error -> 'error_type'))
       from job_items i where i.job_id = j.id and not i.done) as page_errors,
      (select count(*)::integer from job_items i where i.job_id = j.id and i.output ->> 'kind' = 'new') as created,
      (select count(*)::integer from job_items i where i.job_id = j.id and i.output ->> 'kind' = 'continue') as merged
    from jobs j left join workers w on w.id = j.worker_id
    where j.kind in ('ocr_batch', 'extraction', 'finalization') and ${condition}`;
}

/** Newest first. */
export async function readBookJobs(db: Database, bookId: string): Promise<BookJob[]> {
  const rows = await db.query<JobRow>(sql`${jobsWhere(sql`j.input ->> 'bookId' = ${bookId}`)} order by j.id desc`);
  return rows.map(toBookJob);
}

export async function readLatestJob(db: Database, bookId: string, type?: BookJobType): Promise<BookJob | null> {
  const ofType = type === undefined ? sql`true` : sql`j.kind = ${type}`;
  const [row] = await db.query<JobRow>(
    sql`${jobsWhere(sql`j.input ->> 'bookId' = ${bookId} and ${ofType}`)} order by j.id desc limit 1`,
  );
  return row ? toBookJob(row) : null;
}

/** The latest job of every book that has had one. */
export async function readLatestJobs(db: Database): Promise<BookJob[]> {
  const latest = sql`
    select latest.id from books b cross join lateral (
      select j.id from jobs j
      where j.kind in ('ocr_batch', 'extraction', 'finalization') and j.input ->> 'bookId' = b.id::text
      order by j.id desc limit 1) latest`;
  return (await db.query<JobRow>(jobsWhere(sql`j.id in (${latest})`))).map(toBookJob);
}

/** Throws NOT_FOUND, also if the job is of another book. */
export async function readBookJob(db: Database, bookId: string, jobId: string): Promise<BookJob> {
  const [row] =
    isUuid(bookId) && isUuid(jobId)
      ? await db.query<JobRow>(jobsWhere(sql`j.id = ${jobId} and j.input ->> 'bookId' = ${bookId}`))
      : [];
  if (!row) throw new DocmillError("NOT_FOUND", "Job not found");
  return toBookJob(row);
}

function toBookJob(row: JobRow): BookJob {
  const { pageErrors, kind } = row;
  const stats = kind === "extraction" ? { subtopics_created: row.created, subtopics_merged: row.merged } : undefined;
  return {
    job_id: row.id,
    book_id: row.bookId,
    job_type: kind,
    status: row.status,
    total_items: row.totalItems ?? row.plannedItems,
    completed_items: row.completedItems,
    failed_items: row.failedItems,
    current_item: row.status === "running" ? toNumber(row.currentItem) : null,
    last_completed_item: row.lastCompletedItem,
    progress_detail: JSON.stringify({ page_errors: pageErrors ?? {}, ...(stats && { stats }) }),
    heartbeat_at: lastSign(row),
    started_at: (row.startedAt ?? row.createdAt).toISOString(),
    completed_at: row.completedAt?.toISOString() ?? null,
    error_message: row.errorMessage === null ? null : explain(row),
  };
}

/** While it runs, its worker's; afterwards its end, which its worker wrote, unless that was what nobody heard of. */
function lastSign({ heartbeatAt, startedAt, completedAt, errorMessage }: JobRow): string | null {
  if (startedAt === null) return null;
  const [, since] = /no heartbeat since (\d[^)]*)\)/.exec(errorMessage ?? "") ?? [];
  // A worker's last heartbeat may be from before it took this job.
  const heard = heartbeatAt && heartbeatAt > startedAt ? heartbeatAt : startedAt;
  return since ?? (heartbeatAt === null ? (completedAt ?? startedAt) : heard).toISOString();
}

/** A job that was lost says where to go on, in the words of books. */
function explain({ errorCode, errorMessage, firstOpen }: JobRow): string {
  const message = errorMessage ?? "";
  if (errorCode !== "LEASE_LOST" && errorCode !== "NOT_STARTED") return message;
  const what = message.replace(/ Retry it to go on after item .*$/, "");
  return firstOpen === null ? what : `${what} Resume from page ${firstOpen}.`;
}

function toNumber(text: string | null): number | null {
  return text === null || !/^\d+$/.test(text) ? null : Number(text);
}
