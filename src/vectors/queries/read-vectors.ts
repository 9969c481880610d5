/** Reads vectors with what they belong to: all of a model page by page, or those of certain chunks. */
import type { Queryable } from "../../db/database.ts";
import { type Sql, sql } from "../../db/sql.ts";

export interface StoredVector {
  chunkId: string;
  documentId: string;
  writtenBy: string;
  /** In base64. */
  vector: string;
}

export function readVectorPage(
  db: Queryable,
  modelId: number,
  { after, limit }: { after: string | undefined; limit: number },
): Promise<StoredVector[]> {
  const further = after === undefined ? sql`true` : sql`chunk_id > ${after}`;
  return readVectors(db, modelId, sql`${further} order by chunk_id limit ${limit}`);
}

export function readVectorsOf(db: Queryable, modelId: number, chunkIds: readonly string[]): Promise<StoredVector[]> {
  return readVectors(db, modelId, sql`chunk_id = any (${chunkIds}::uuid[])`);
}

function readVectors(db: Queryable, modelId: number, which: Sql): Promise<StoredVector[]> {
  return db.query<StoredVector>(sql`
    select chunk_id, document_id, written_by, encode(vector, 'base64') as vector
    from chunk_vectors where model_id = ${modelId} and ${which}`);
}
