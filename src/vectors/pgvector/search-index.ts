/**
 * Search by pgvector's HNSW index. Where a filter or a young graph leaves fewer answers than were asked for, the rest of
 * the way is exact, so that what exists is never left out for the index's sake.
 */
import type { Database, Transaction } from "../../db/database.ts";
import { allOf, nothing, type Sql, sql } from "../../db/sql.ts";
import type { Neighbour, NeighbourQuery } from "../vector-store.ts";
import type { Pgvector } from "./detect-pgvector.ts";
import { type IndexTable, writeVector } from "./index-table.ts";

/** How many candidates the graph search keeps: its recall. */
const leastCandidates = 100;
const mostCandidates = 1_000;
const queriesAtOnce = 32;

export async function searchIndex(
  db: Database,
  { index, pgvector }: { index: IndexTable; pgvector: Pgvector },
  vectors: readonly Float32Array[],
  query: NeighbourQuery,
  signal?: AbortSignal,
): Promise<Neighbour[][]> {
  const answers: Neighbour[][] = [];
  for (let at = 0; at < vectors.length; at += queriesAtOnce) {
    signal?.throwIfAborted();
    const some = vectors.slice(at, at + queriesAtOnce);
    const found = await db.transaction(async (tx) => {
      await tuneSearch(tx, pgvector, query.limit);
      return await readNearest(tx, index, some, query);
    });
    const short = some.filter((_, place) => (found[place]?.length ?? 0) < query.limit);
    const exact = short.length === 0 ? [] : await searchExactly(db, index, short, query);
    answers.push(...some.map((vector, place) => exact[short.indexOf(vector)] ?? found[place] ?? []));
  }
  const { minCosine = Number.NEGATIVE_INFINITY } = query;
  return answers.map((list) => list.filter(({ cosine }) => cosine >= minCosine));
}

async function tuneSearch(tx: Transaction, { iterativeScan }: Pgvector, limit: number): Promise<void> {
  const candidates = Math.min(mostCandidates, Math.max(leastCandidates, 2 * limit));
  const iterative = iterativeScan ? sql`, set_config('hnsw.iterative_scan', 'strict_order', true)` : nothing;
  // The planner takes the graph for dearer than it is and would compare with all of 20,000, which takes longer.
  const graphFirst = sql`, set_config('enable_seqscan', 'off', true)`;
  await tx.query(sql`select set_config('hnsw.ef_search', ${String(candidates)}, true)${graphFirst}${iterative}`);
}

function searchExactly(
  db: Database,
  index: IndexTable,
  vectors: readonly Float32Array[],
  query: NeighbourQuery,
): Promise<Neighbour[][]> {
  return db.transaction(async (tx) => {
    // HNSW can only be read by an index scan; documents are still found through theirs, by a bitmap scan.
    await tx.query(sql`select set_config('enable_indexscan', 'off', true)`);
    return await readNearest(tx, index, vectors, query);
  });
}

async function readNearest(
  tx: Transaction,
  { name, type }: IndexTable,
  vectors: readonly Float32Array[],
  query: NeighbourQuery,
): Promise<Neighbour[][]> {
  // Vectors have length 1: their inner product is their cosine, and pgvector's operator answers its negative. What is asked
  // for is read from its text here, in the list, and not where it is compared: that would read it again for every row,
  // which takes a hundred times as long as comparing.
  const rows = await tx.query<Neighbour & { place: number }>(sql`
    select q.place, n.chunk_id, n.document_id, -n.distance as cosine
    from unnest(${vectors.map(writeVector)}::text[]::${type}[]) with ordinality as q (vector, place)
    cross join lateral (
      select i.chunk_id, i.document_id, i.embedding <#> q.vector as distance
      from ${name} i where ${filters(query)}
      order by distance limit ${query.limit}) n
    order by q.place, n.distance, n.chunk_id`);
  const answers: Neighbour[][] = vectors.map(() => []);
  for (const { place, ...neighbour } of rows) answers[place - 1]?.push(neighbour);
  return answers;
}

function filters({ documentIds, exceptDocumentId }: NeighbourQuery): Sql {
  return allOf([
    ...(documentIds ? [sql`i.document_id = any (${documentIds}::uuid[])`] : []),
    ...(exceptDocumentId === undefined ? [] : [sql`i.document_id <> ${exceptDocumentId}`]),
  ]);
}
