/** The sheets of a batch as people see them, in the order they were given. */
import type { SheetJob } from "../../../contract/batches.ts";
import { type Database, type Sql, sql } from "../../../jobs/index.ts";
import { shownStage } from "../sheet-stage.ts";

/** Names as the database has them: rows come as such, and as JSON within another row. */
export interface SheetJobRow {
  id: string;
  sequence: number;
  filename: string;
  source_url: string | null;
  status: SheetJob["status"];
  attempts: number;
  message: string | null;
  detail: Parameters<typeof shownStage>[1];
  error_code: string | null;
  error_message: string | null;
  last_code: string | null;
  last_retryable: boolean | null;
  code: string | null;
  meet_name: string | null;
  swims: number | null;
  cached: boolean | null;
}

export function sheetJobs(batchId: Sql): Sql {
  return sql`
    select s.job_id as id, s.sequence, s.filename, s.source_url, j.status, j.attempts, j.message, j.detail, j.error_code, j.error_message,
      e.code as last_code, e.retryable as last_retryable, r.code, r.facts ->> 'meetName' as meet_name,
      jsonb_array_length(r.swims) as swims, r.cached
    from heat_sources s
    join jobs j on j.id = s.job_id
    left join heat_results r on r.job_id = s.job_id
    left join lateral (select code, retryable from job_errors e where e.job_id = j.id order by e.lease desc limit 1) e on true
    where s.batch_id = ${batchId}`;
}

export async function listSheetJobs(db: Pick<Database, "query">, batchId: string): Promise<SheetJob[]> {
  const [row] = await db.query<{ jobs: SheetJobRow[] | null }>(
    sql`select json_agg(s order by s.sequence) as jobs from (${sheetJobs(sql`${batchId}::uuid`)}) s`,
  );
  return (row?.jobs ?? []).map(toSheetJob);
}

export function toSheetJob(row: SheetJobRow): SheetJob {
  const { status, attempts, last_code: lastCode } = row;
  const retryCount = Math.max(0, attempts - 1);
  const waits = status === "pending" && attempts > 0 && lastCode !== null;
  return {
    id: row.id,
    sequence: row.sequence,
    filename: row.filename,
    sourceUrl: row.source_url,
    status,
    stage: shownStage(status, row.detail),
    progressMessage: waits ? retryMessage(attempts, lastCode) : status === "running" ? row.message : null,
    resultCode: row.code,
    meetName: row.meet_name,
    eventCount: row.swims,
    cached: row.cached ?? false,
    error: row.error_message,
    errorCode: row.error_code,
    retriable: status === "failed" && row.last_retryable === true,
    retryCount: waits ? attempts : retryCount,
  };
}

export function retryMessage(retry: number, code: string): string {
  return `Retry ${retry} after ${code}`;
}
