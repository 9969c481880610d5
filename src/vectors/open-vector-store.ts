/** Opens the store of vectors in the way the database allows: pgvector when it has it, exact search in the process if not. */
import type { Database, Transaction } from "../db/database.ts";
import type { Logger } from "../logger.ts";
import type { PoolWatch } from "../threads/thread-pool.ts";
import { checkDimensions } from "./check-dimensions.ts";
import { openExactSearch } from "./exact/open-exact-search.ts";
import { detectPgvector, type Pgvector } from "./pgvector/detect-pgvector.ts";
import { describeIndex, ensureIndex, writeIndex } from "./pgvector/index-table.ts";
import { openIndexSearch } from "./pgvector/open-index-search.ts";
import { ensureModel } from "./queries/ensure-model.ts";
import { writeVectors } from "./queries/write-vectors.ts";
import type { ChunkVector, Neighbour, VectorStore } from "./vector-store.ts";

export interface VectorStoreOptions {
  db: Database;
  logger: Logger;
  /** How many cores a search may use. */
  threads: number;
  watch?: PoolWatch;
}

export async function openVectorStore({ db, logger, threads, watch }: VectorStoreOptions): Promise<VectorStore> {
  const pgvector = await detectPgvector(db, logger);
  const exact = openExactSearch({ db, logger, threads, watch });
  const search = pgvector ? openIndexSearch({ db, logger, pgvector, exact }) : exact;
  return {
    method: pgvector ? "pgvector" : "exact",
    save: (tx, model, vectors) => saveVectors(tx, model, vectors, pgvector),
    async findNearest(vector, query, signal) {
      const [found] = await search.find([vector], query, signal);
      return found as Neighbour[];
    },
    findNearestOfMany: (vectors, query, signal) => search.find(vectors, query, signal),
    close: () => search.close(),
  };
}

async function saveVectors(
  tx: Transaction,
  model: string,
  vectors: readonly ChunkVector[],
  pgvector: Pgvector | undefined,
): Promise<void> {
  const [first] = vectors;
  if (!first) return;
  const stored = await ensureModel(tx, model, first.vector.length);
  for (const { vector } of vectors) checkDimensions(model, stored.dimensions, vector);
  // In one order everywhere, so that two who write the same chunks wait for each other instead of deadlocking; a chunk
  // that is named twice has its last vector.
  const ordered = [...new Map(vectors.map((vector) => [vector.chunkId, vector])).values()].sort((one, other) =>
    one.chunkId < other.chunkId ? -1 : 1,
  );
  const index = pgvector && describeIndex(stored, pgvector);
  if (index) await ensureIndex(tx, index);
  await writeVectors(tx, stored.id, ordered);
  if (index) await writeIndex(tx, index, ordered);
}
