/** Writes many vectors in one statement; one that a chunk already has is replaced. */
import type { Transaction } from "../../db/database.ts";
import { sql } from "../../db/sql.ts";
import { joinVectors } from "../vector-bytes.ts";
import type { ChunkVector } from "../vector-store.ts";

export async function writeVectors(tx: Transaction, modelId: number, vectors: readonly ChunkVector[]): Promise<void> {
  const bytes = joinVectors(vectors.map(({ vector }) => vector));
  const size = bytes.length / vectors.length;
  // One parameter for all the bytes: the driver sends a buffer as it is, and a list of them in hexadecimal.
  await tx.query(sql`
    insert into chunk_vectors (model_id, chunk_id, document_id, vector)
    select ${modelId}::smallint, r.chunk_id, r.document_id,
           substring(${bytes}::bytea from ((r.place - 1) * ${size}::integer)::integer + 1 for ${size}::integer)
    from unnest(${vectors.map(({ chunkId }) => chunkId)}::uuid[], ${vectors.map(({ documentId }) => documentId)}::uuid[])
      with ordinality as r (chunk_id, document_id, place)
    on conflict (model_id, chunk_id) do update
      set document_id = excluded.document_id, vector = excluded.vector, written_by = pg_current_xact_id()`);
}
