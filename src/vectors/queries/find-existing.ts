/** Which chunks still have a vector. */
import type { Queryable } from "../../db/database.ts";
import { type Sql, sql } from "../../db/sql.ts";

/** Of these chunks. */
export function findExisting(db: Queryable, modelId: number, chunkIds: readonly string[]): Promise<Set<string>> {
  return findChunks(db, modelId, sql`chunk_id = any (${chunkIds}::uuid[])`);
}

/** Of all the chunks of these documents. */
export function findExistingOf(db: Queryable, modelId: number, documentIds: readonly string[]): Promise<Set<string>> {
  return findChunks(db, modelId, sql`document_id = any (${documentIds}::uuid[])`);
}

async function findChunks(db: Queryable, modelId: number, which: Sql): Promise<Set<string>> {
  const rows = await db.query<{ chunkId: string }>(sql`
    select chunk_id from chunk_vectors where model_id = ${modelId} and ${which}`);
  return new Set(rows.map(({ chunkId }) => chunkId));
}
