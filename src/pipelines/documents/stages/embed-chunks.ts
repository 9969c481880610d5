/**
 * Last stage: a vector for every passage that has none of the model in use. Passages go in batches, each a checkpoint with
 * its vectors. Batches are cut over all passages, so that a second run asks the same questions and finds them answered.
 */
import type { ItemContext, StageContext } from "../../../jobs/index.ts";
import { type Database, sql } from "../../../jobs/index.ts";
import type { DocumentInput } from "../document-input.ts";
import type { DocumentServices } from "../document-services.ts";
import { watchFailures } from "./item-failures.ts";

export type EmbedServices = Pick<DocumentServices, "db" | "embedder" | "vectors" | "limits">;

interface ChunkToEmbed {
  id: string;
  content: string;
}

export function embedChunks(services: EmbedServices) {
  return async (context: StageContext<Pick<DocumentInput, "documentId">, object>) => {
    const { embedder, db, limits } = services;
    const { documentId } = context.input;
    const ids = await readChunkIds(db, documentId);
    const failures = watchFailures();
    const results = await context.items(
      toBatches(ids, embedder.batchSize),
      // Both ends: a worker that cuts other batches must not take one of these for one of its own.
      {
        key: ({ first, ids: batch }) => `${embedder.model}:${first}-${first + batch.length - 1}`,
        concurrency: limits.pagesAtOnce,
      },
      failures.guard(({ ids: batch }: ChunkBatch, item: ItemContext) => embedBatch(services, documentId, batch, item)),
    );
    failures.refuse(results);
    return { model: embedder.model, chunks: ids.length };
  };
}

interface ChunkBatch {
  first: number;
  ids: string[];
}

async function embedBatch(
  { db, embedder, vectors }: EmbedServices,
  documentId: string,
  ids: readonly string[],
  item: ItemContext,
) {
  const missing = await readMissing(db, embedder.model, ids);
  const found =
    missing.length === 0
      ? []
      : await embedder.embed(
          missing.map(({ content }) => content),
          item,
        );
  return item.commit(async (tx) => {
    const rows = missing.map(({ id }, index) => ({ chunkId: id, documentId, vector: found[index] as Float32Array }));
    await vectors.save(tx, embedder.model, rows);
    return { embedded: rows.length };
  });
}

async function readChunkIds(db: Database, documentId: string): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    sql`select id from chunks where document_id = ${documentId} order by index`,
  );
  return rows.map(({ id }) => id);
}

function readMissing(db: Database, model: string, ids: readonly string[]): Promise<ChunkToEmbed[]> {
  return db.query<ChunkToEmbed>(sql`
    select c.id, c.content from chunks c
    where c.id = any (${ids}::uuid[]) and not exists (
      select from chunk_vectors v join embedding_models m on m.id = v.model_id
      where v.chunk_id = c.id and m.name = ${model})
    order by c.index`);
}

function toBatches(ids: readonly string[], size: number): ChunkBatch[] {
  return Array.from({ length: Math.ceil(ids.length / size) }, (_, index) => ({
    first: index * size,
    ids: ids.slice(index * size, (index + 1) * size),
  }));
}
