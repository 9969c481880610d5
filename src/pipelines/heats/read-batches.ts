/** Batches as `/api/batch` gives them: state, merged results, and what is shared of a single sheet. */
import type { BatchDetail, BatchList, BatchQuery, BatchResults, SharedResult } from "../../contract/batches.ts";
import { DocmillError } from "../../errors.ts";
import { mergeSwims } from "../../heatsheets/merge-swims.ts";
import { listNamesakes, warnOfNamesakes } from "../../heatsheets/namesakes.ts";
import { toSheetFacts } from "../../heatsheets/sheet-facts.ts";
import { type Database, decodeCursor, encodeCursor, isUuid, sql } from "../../jobs/index.ts";
import { batchNotFound, findBatch, findBatchesWithJobs, listBatches } from "./queries/find-batch.ts";
import { listResults, type SheetResultRow } from "./queries/list-results.ts";
import { listSheetJobs } from "./queries/list-sheet-jobs.ts";
import { isResultCode } from "./result-code.ts";

/** Those of them that there are. Batch and jobs are of the same moment: no event between them is told twice or not at all. */
export async function readBatches(db: Database, ids: readonly string[]): Promise<Map<string, BatchDetail>> {
  const found = await findBatchesWithJobs(db, ids);
  return new Map(found.map(({ jobs, ...batch }) => [batch.id, { success: true, batch, jobs }]));
}

/** A page of batches, newest first. */
export async function readBatchList(db: Database, { limit, cursor }: BatchQuery): Promise<BatchList> {
  const [after] = cursor === undefined ? [] : decodeCursor(cursor, isPosition);
  const batches = await listBatches(db, after, limit + 1);
  const items = batches.slice(0, limit);
  const last = items.at(-1);
  return { success: true, items, nextCursor: last && batches.length > limit ? encodeCursor([last.id]) : null };
}

function isPosition(parts: readonly unknown[]): parts is [string] {
  return parts.length === 1 && isUuid(parts[0]);
}

/** What there is so far. Throws NOT_FOUND. */
export async function readBatchResults(db: Database, id: string): Promise<BatchResults> {
  const { swimmerName } = await findBatch(db, id);
  const results = await listResults(db, id);
  const failed = (await listSheetJobs(db, id)).filter(({ status }) => status === "failed");
  const events = mergeSwims(results);
  return {
    success: true,
    swimmerName,
    totalEvents: events.length,
    sources: results.map(toSource),
    events,
    warnings: [...warningsOf(results), ...warnAcross(results), ...(await readFailedWarnings(db, id))],
    failedSources: failed.map(({ sequence, filename, errorCode, error, retriable }) => ({
      sequence,
      filename,
      errorCode: errorCode ?? "UNKNOWN",
      errorMessage: error ?? "",
      retriable,
    })),
  };
}

function toSource({ sequence, filename, sourceUrl, facts, swims, code, cached }: SheetResultRow) {
  const eventCount = swims.length;
  return { sequence, filename, sourceUrl, ...toSheetFacts(facts), eventCount, resultCode: code, cached };
}

function warningsOf(results: readonly SheetResultRow[]): string[] {
  return results.flatMap(({ filename, warnings }) => warnings.map((warning) => `${filename}: ${warning}`));
}

/** Of namesakes that no single sheet has, but several together. */
function warnAcross(results: readonly SheetResultRow[]): string[] {
  const people = ({ swims }: SheetResultRow) =>
    swims.map(({ swimmerName: name, age = null, team = null, relay }) => ({ name, age, team: relay ? null : team }));
  if (results.some((result) => listNamesakes(people(result)).length > 1)) return [];
  const namesakes = listNamesakes(results.flatMap(people));
  return namesakes.length > 1 ? [warnOfNamesakes(namesakes)] : [];
}

async function readFailedWarnings(db: Database, batchId: string): Promise<string[]> {
  const rows = await db.query<{ filename: string; warning: string }>(sql`
    select s.filename, w.warning from heat_sources s join jobs j on j.id = s.job_id and j.status = 'failed'
    cross join lateral unnest(s.warnings) as w (warning) where s.batch_id = ${batchId} order by s.sequence`);
  return rows.map(({ filename, warning }) => `${filename}: ${warning}`);
}

interface SharedRow extends SheetResultRow {
  swimmerName: string;
  batchId: string;
  views: number;
  createdAt: Date;
  expiresAt: Date;
}

/** Throws NOT_FOUND, also once the batch has expired. */
export async function readSharedResult(db: Database, code: string, counts = true): Promise<SharedResult> {
  if (!isResultCode(code)) throw resultNotFound(code);
  const [row] = await db.query<SharedRow>(sql`
    update heat_results r set views = r.views + ${counts ? 1 : 0}
    from heat_sources s, heat_batches h
    where r.code = ${code} and s.job_id = r.job_id and h.batch_id = r.batch_id and h.expires_at > now()
    returning s.sequence, s.filename, s.source_url, r.code, r.facts, r.swims, r.warnings, r.plan, r.sessions, r.cached, h.swimmer_name,
      r.views, r.created_at, h.expires_at`);
  if (!row) throw resultNotFound(code);
  return {
    success: true,
    code,
    swimmerName: row.swimmerName,
    filename: row.filename,
    sourceUrl: row.sourceUrl,
    ...toSheetFacts(row.facts),
    events: mergeSwims([row]).map(({ sources: _, ...event }) => event),
    warnings: row.warnings,
    views: row.views,
    createdAt: row.createdAt.toISOString(),
    expiresAt: row.expiresAt.toISOString(),
  };
}

function resultNotFound(code: string): DocmillError {
  return new DocmillError("NOT_FOUND", `There is no result ${code.slice(0, 20)}. It may have expired.`);
}

/** Whether a batch has ended, and with which event. Throws NOT_FOUND. */
export async function readBatchEnd(db: Database, id: string): Promise<{ ended: boolean; lastEventId: number }> {
  const [row] = await db.query<{ status: string; lastEvent: number }>(
    sql`select b.status, b.last_event from heat_batches h join batches b on b.id = h.batch_id where h.batch_id = ${id}`,
  );
  if (!row) throw batchNotFound(id);
  return { ended: row.status !== "pending" && row.status !== "running", lastEventId: row.lastEvent };
}
