/** A batch of heat sheets as its row and the engine's say. */
import type { BatchSummary } from "../../../contract/batches.ts";
import { DocmillError } from "../../../errors.ts";
import { type Database, isUuid, sql } from "../../../jobs/index.ts";

interface BatchRow extends Omit<BatchSummary, "lastEventId" | "createdAt" | "startedAt" | "completedAt" | "expiresAt"> {
  lastEvent: number;
  createdAt: Date;
  startedAt: Date | null;
  completedAt: Date | null;
  expiresAt: Date;
}

/** Throws NOT_FOUND, also of a batch that has expired and is not yet removed. */
export async function findBatch(db: Pick<Database, "query">, id: string): Promise<BatchSummary> {
  if (!isUuid(id)) throw batchNotFound(id);
  const [row] = await db.query<BatchRow>(sql`
    select b.id, h.swimmer_name, b.status, b.total_jobs, b.completed_jobs, b.failed_jobs, b.last_event, b.created_at, b.started_at,
      b.completed_at, h.expires_at
    from heat_batches h join batches b on b.id = h.batch_id where h.batch_id = ${id} and h.expires_at > now()`);
  if (!row) throw batchNotFound(id);
  const { lastEvent, createdAt, startedAt, completedAt, expiresAt, ...rest } = row;
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
