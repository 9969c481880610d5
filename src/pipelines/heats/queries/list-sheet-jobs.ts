/** The sheets of a batch as people see them, in the order they were given. */
import type { SheetJob } from "../../../contract/batches.ts";
import type { KeptFacts } from "../../../heatsheets/sheet-facts.ts";
import { type Database, sql } from "../../../jobs/index.ts";
import { shownStage } from "../sheet-stage.ts";

interface SheetJobRow {
  id: string;
  sequence: number;
  filename: string;
  sourceUrl: string | null;
  status: SheetJob["status"];
  attempts: number;
  message: string | null;
  detail: Parameters<typeof shownStage>[1];
  errorCode: string | null;
  errorMessage: string | null;
  lastCode: string | null;
  lastRetryable: boolean | null;
  code: string | null;
  facts: KeptFacts | null;
  swims: number | null;
  cached: boolean | null;
}

export async function listSheetJobs(db: Pick<Database, "query">, batchId: string): Promise<SheetJob[]> {
  const rows = await db.query<SheetJobRow>(sql`
    select s.job_id as id, s.sequence, s.filename, s.source_url, j.status, j.attempts, j.message, j.detail, j.error_code, j.error_message,
      e.code as last_code, e.retryable as last_retryable, r.code, r.facts, jsonb_array_length(r.swims) as swims, r.cached
    from heat_sources s
    join jobs j on j.id = s.job_id
    left join heat_results r on r.job_id = s.job_id
    left join lateral (select code, retryable from job_errors e where e.job_id = j.id order by e.lease desc limit 1) e on true
    where s.batch_id = ${batchId} order by s.sequence`);
  return rows.map(toSheetJob);
}

function toSheetJob(row: SheetJobRow): SheetJob {
  const { status, attempts, lastCode } = row;
  const retryCount = Math.max(0, attempts - 1);
  const waits = status === "pending" && attempts > 0 && lastCode !== null;
  return {
    id: row.id,
    sequence: row.sequence,
    filename: row.filename,
    sourceUrl: row.sourceUrl,
    status,
    stage: shownStage(status, row.detail),
    progressMessage: waits ? retryMessage(attempts, lastCode) : status === "running" ? row.message : null,
    resultCode: row.code,
    meetName: row.facts?.meetName ?? null,
    eventCount: row.swims,
    cached: row.cached ?? false,
    error: row.errorMessage,
    errorCode: row.errorCode,
    retriable: status === "failed" && row.lastRetryable === true,
    retryCount: waits ? attempts : retryCount,
  };
}

export function retryMessage(retry: number, code: string): string {
  return `Retry ${retry} after ${code}`;
}
