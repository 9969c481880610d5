/**
 * The state of a batch for whoever asks. Pages that watch a batch ask again and again, and planning the statement takes
 * longer than running it: those who ask at the same time share one.
 */
import type { BatchDetail } from "../contract/batches.ts";
import type { Engine } from "../jobs/engine.ts";
import { rescueBeforeReading } from "../jobs/rescue-before-reading.ts";
import type { Heats } from "../pipelines/heats/heats.ts";
import { batchNotFound } from "../pipelines/heats/queries/find-batch.ts";
import { readBatches } from "../pipelines/heats/read-batches.ts";
import { gatherReads } from "./gather-reads.ts";

/** Throws NOT_FOUND. */
export type BatchReader = (id: string) => Promise<BatchDetail>;

export function createBatchReader(engine: Engine, { services: { db } }: Heats): BatchReader {
  const read = gatherReads(async (ids) => {
    await rescueBeforeReading(engine);
    return readBatches(db, ids);
  });
  return async (id) => {
    const batch = await read(id.toLowerCase());
    if (!batch) throw batchNotFound(id);
    return batch;
  };
}
