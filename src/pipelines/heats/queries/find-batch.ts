/** Batches of heat sheets as their rows and the engine's say; one that has expired is gone, removed or not. */
import type { BatchSummary, SheetJob } from "../../../contract/batches.ts";
import { DocmillError } from "../../../errors.ts";
import { allOf, type Database, isUuid, sql } from "../../../jobs/index.ts";
import { type SheetJobRow, sheetJobs, toSheetJob } from "./list-sheet-jobs.ts";

interface BatchRow extends Omit<BatchSummary, "lastEventId" | "createdAt" | "startedAt" | "completedAt" | "expiresAt"> {
  lastEvent: number;
  createdAt: Date;
  startedAt: Date | null;
  completedAt: Date | null;
  expiresAt: Date;
}

// Most batches have no failed sheet, and are not looked into.
const withoutSwimmer = sql`
  case when b.failed_jobs = 0 then 0 else (
    select count(*)::int from jobs j where j.batch_id = b.id and j.status = 'failed' and j.error_code = 'SWIMMER_NOT_FOUND') end`;

const columns = sql`
  b.id, h.swimmer_name, b.status, b.total_jobs, b.completed_jobs, b.failed_jobs, ${withoutSwimmer} as without_swimmer, b.last_event,
  b.created_at, b.started_at, b.completed_at, h.expires_at`;

/** Throws NOT_FOUND. */
export async function findBatch(db: Pick<Database, "query">, id: string): Promise<BatchSummary> {
  const [row] = isUuid(id)
    ? await db.query<BatchRow>(sql`
        select ${columns} from heat_batches h join batches b on b.id = h.batch_id
        where h.batch_id = ${id} and h.expires_at > now()`)
    : [];
  if (!row) throw batchNotFound(id);
  return toSummary(row);
}

/** Those of them that there are, with their sheets, in one statement: everything in it is of the same moment. */
export async function findBatchesWithJobs(
  db: Pick<Database, "query">,
  ids: readonly string[],
): Promise<(BatchSummary & { jobs: SheetJob[] })[]> {
  const rows = await db.query<BatchRow & { jobs: SheetJobRow[] | null }>(sql`
    select ${columns}, (select json_agg(s order by s.sequence) from (${sheetJobs(sql`b.id`)}) s) as jobs
    from heat_batches h join batches b on b.id = h.batch_id
    where h.batch_id = any (${ids.filter(isUuid)}::uuid[]) and h.expires_at > now()`);
  return rows.map(({ jobs, ...row }) => ({ ...toSummary(row), jobs: (jobs ?? []).map(toSheetJob) }));
}

/** Newest first: ids are in order of time, so a page is read from the end of the primary key. */
export async function listBatches(
  db: Pick<Database, "query">,
  after: string | undefined,
  limit: number,
): Promise<BatchSummary[]> {
  const conditions = [sql`h.expires_at > now()`];
  if (after !== undefined) conditions.push(sql`h.batch_id < ${after}`);
  const rows = await db.query<BatchRow>(sql`
    select ${columns} from heat_batches h join batches b on b.id = h.batch_id
    where ${allOf(conditions)} order by h.batch_id desc limit ${limit}`);
  return rows.map(toSummary);
}

function toSummary({ lastEvent, createdAt, startedAt, completedAt, expiresAt, ...rest }: BatchRow): BatchSummary {
  return {
    ...rest,
    lastEventId: lastEvent,
    createdAt: createdAt.toISOString(),
    startedAt: startedAt?.toISOString() ?? null,
    completedAt: completedAt?.toISOString() ?? null,
    expiresAt: expiresAt.toISOString(),
  };
}

export function batchNotFound(id: string): DocmillError {
  return new DocmillError("NOT_FOUND", `There is no batch ${id.slice(0, 100)}.`);
}
