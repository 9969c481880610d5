/** Documents and chunks as far as vectors need them, and vectors to go with them. */
import { randomUUID } from "node:crypto";
import type { Database, Queryable } from "../../src/db/database.ts";
import { sql } from "../../src/db/sql.ts";
import type { ChunkVector } from "../../src/vectors/vector-store.ts";

/** A document with as many chunks; answers their ids. */
export async function addDocument(
  db: Queryable,
  chunks: number,
  documentId: string = randomUUID(),
): Promise<{ documentId: string; chunkIds: string[] }> {
  await db.query(sql`
    insert into documents (id, filename, job_id) values (${documentId}, 'ledger.pdf', ${randomUUID()})
    on conflict (id) do nothing`);
  const chunkIds = Array.from({ length: chunks }, () => randomUUID() as string);
  await addChunks(db, documentId, chunkIds);
  return { documentId, chunkIds };
}

export async function addChunks(db: Queryable, documentId: string, chunkIds: readonly string[]): Promise<void> {
  await db.query(sql`
    insert into chunks (id, document_id, index, content, content_hash, heading_path, start_offset, end_offset, tokens, search)
    select r.id, ${documentId}, r.place - 1, 'text', 'hash', '{}', 0, 4, 1, ''
    from unnest(${chunkIds}::uuid[]) with ordinality as r (id, place)`);
}

/** Adds a document with a chunk for each vector. */
export async function addVectors(
  db: Database,
  save: (tx: Queryable, vectors: readonly ChunkVector[]) => Promise<void>,
  vectors: readonly Float32Array[],
): Promise<ChunkVector[]> {
  const { documentId, chunkIds } = await addDocument(db, vectors.length);
  const rows = chunkIds.map((chunkId, place) => ({ chunkId, documentId, vector: vectors[place] as Float32Array }));
  await db.transaction((tx) => save(tx, rows));
  return rows;
}

/** A vector of length 1. */
export function unit(...numbers: number[]): Float32Array {
  const length = Math.hypot(...numbers);
  return Float32Array.from(numbers, (number) => number / length);
}

/** The same numbers for the same seed; evenly between 0 and 1 (mulberry32). */
function randomNumbers(seed: number): () => number {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let mixed = Math.imul(seed ^ (seed >>> 15), seed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Vectors that crowd around as many centres, as those of passages do. */
export function clusteredVectors(
  count: number,
  { dimensions, clusters, seed }: { dimensions: number; clusters: number; seed: number },
): Float32Array[] {
  const random = randomNumbers(seed);
  const spread = () => random() + random() + random() - 1.5;
  const centres = Array.from({ length: clusters }, () => Array.from({ length: dimensions }, spread));
  return Array.from({ length: count }, (_, place) =>
    unit(...(centres[place % clusters] as number[]).map((value) => value + 0.7 * spread())),
  );
}
