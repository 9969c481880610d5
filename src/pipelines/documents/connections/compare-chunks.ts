/**
 * First stage of connecting: for every passage the nearest passages of other documents. Near ones are similar; near ones
 * that say the opposite contradict. A batch of passages is a checkpoint with its connections.
 */
import type { ItemContext, StageContext } from "../../../jobs/index.ts";
import { type Database, sql } from "../../../jobs/index.ts";
import { readVector } from "../../../vectors/vector-bytes.ts";
import type { DocumentServices } from "../document-services.ts";
import { type FoundConnection, saveConnections } from "./save-connections.ts";

export type CompareServices = Pick<DocumentServices, "db" | "embedder" | "vectors" | "text">;

/** Above this strength a reader would call two passages related. */
const relatedStrength = 0.7;
const mostPerChunk = 50;
/** Only the nearest are worth reading for opposites. */
const readForOpposites = 10;
const chunksPerBatch = 64;

export function compareChunks(services: CompareServices) {
  return async ({ input: { documentId }, items }: StageContext<{ documentId: string }, object>) => {
    const chunks = await readEmbedded(services, documentId);
    const batches = Array.from({ length: Math.ceil(chunks.length / chunksPerBatch) }, (_, index) =>
      chunks.slice(index * chunksPerBatch, (index + 1) * chunksPerBatch),
    );
    const results = await items(batches, { key: ([first]) => String(first?.index), failJob: true }, (batch, item) =>
      compareBatch(services, documentId, batch, item),
    );
    const counts = [...results.outputs.values()] as { connections: number }[];
    return { chunks: chunks.length, connections: counts.reduce((sum, { connections }) => sum + connections, 0) };
  };
}

interface EmbeddedChunk {
  id: string;
  index: number;
}

async function compareBatch(
  { db, embedder, vectors, text }: CompareServices,
  documentId: string,
  batch: readonly EmbeddedChunk[],
  item: ItemContext,
) {
  const { ids, values } = await readVectors(db, embedder.model, batch);
  const near = await vectors.findNearestOfMany(
    values,
    { model: embedder.model, limit: mostPerChunk, exceptDocumentId: documentId },
    item.signal,
  );
  const similar = ids.flatMap((sourceId, index) =>
    (near[index] ?? [])
      .map(({ chunkId, cosine }) => ({ sourceId, targetId: chunkId, cosine, strength: embedder.strengthOf(cosine) }))
      .filter(({ strength }) => strength >= relatedStrength),
  );
  const opposed = await findOpposites(db, text, similar, item.signal);
  const found: FoundConnection[] = [
    ...similar.map(({ cosine, ...pair }) => ({
      ...pair,
      type: "semantic_similarity" as const,
      details: { cosine: Math.round(cosine * 1e4) / 1e4 },
    })),
    ...opposed,
  ];
  return item.commit(async (tx) => ({ connections: await saveConnections(tx, ids, compareTypes, found) }));
}

const compareTypes = ["semantic_similarity", "contradiction_detection"] as const;

async function readEmbedded({ db, embedder }: CompareServices, documentId: string): Promise<EmbeddedChunk[]> {
  return db.query<EmbeddedChunk>(sql`
    select c.id, c.index from chunks c join chunk_vectors v on v.chunk_id = c.id join embedding_models m on m.id = v.model_id
    where c.document_id = ${documentId} and m.name = ${embedder.model} order by c.index`);
}

async function readVectors(db: Database, model: string, batch: readonly EmbeddedChunk[]) {
  const rows = await db.query<{ chunkId: string; vector: string }>(sql`
    select v.chunk_id, encode(v.vector, 'base64') as vector from chunk_vectors v join embedding_models m on m.id = v.model_id
    where m.name = ${model} and v.chunk_id = any (${batch.map(({ id }) => id)}::uuid[])`);
  return {
    ids: rows.map(({ chunkId }) => chunkId),
    values: rows.map(({ vector }) => readVector(vector)),
  };
}

interface SimilarPair {
  sourceId: string;
  targetId: string;
  strength: number;
}

async function findOpposites(
  db: Database,
  text: CompareServices["text"],
  similar: readonly SimilarPair[],
  signal: AbortSignal,
): Promise<FoundConnection[]> {
  const seen = new Map<string, number>();
  const nearest = similar.filter(({ sourceId }) => {
    const count = (seen.get(sourceId) ?? 0) + 1;
    seen.set(sourceId, count);
    return count <= readForOpposites;
  });
  if (nearest.length === 0) return [];
  const wanted = [...new Set(nearest.flatMap(({ sourceId, targetId }) => [sourceId, targetId]))];
  const rows = await db.query<{ id: string; content: string }>(
    sql`select id, content from chunks where id = any (${wanted}::uuid[])`,
  );
  const texts = new Map(rows.map(({ id, content }) => [id, content]));
  const pairs = nearest.map(({ sourceId, targetId }) => ({ source: sourceId, target: targetId }));
  const found = await text.oppose({ texts, pairs }, signal);
  return nearest.flatMap(({ sourceId, targetId, strength }, index) => {
    const contradiction = found[index];
    if (!contradiction) return [];
    const { confidence, ...details } = contradiction;
    const type = "contradiction_detection" as const;
    return [{ sourceId, targetId, type, strength: strength * confidence, details }];
  });
}
