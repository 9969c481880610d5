/** What pgvector adds: an index that finds nearly all, and that takes over what was there before it. */
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Database } from "../../src/db/database.ts";
import { sql } from "../../src/db/sql.ts";
import { openVectorStore } from "../../src/vectors/open-vector-store.ts";
import { writeVectors } from "../../src/vectors/queries/write-vectors.ts";
import type { Neighbour } from "../../src/vectors/vector-store.ts";
import { addVectors, clusteredVectors } from "../support/chunk-rows.ts";
import { openPgliteDatabase } from "../support/pglite-database.ts";
import { silentLogger } from "../support/silent-logger.ts";
import { until } from "../support/until.ts";

const shape = { dimensions: 48, clusters: 30, seed: 21 };
const all = clusteredVectors(2_040, shape);
const vectors = all.slice(0, 2_000);
const queries = all.slice(2_000);

let db: Database;
let drop: () => Promise<void>;

beforeAll(async () => {
  ({ db, drop } = await openPgliteDatabase());
});
afterAll(() => drop());

it("vectors saved before pgvector came are searched at once, exactly, and soon by the index", async () => {
  await db.query(sql`insert into embedding_models (name, dimensions) values ('early', ${shape.dimensions})`);
  const rows = await addVectors(db, (tx, given) => writeVectors(tx, 1, given), vectors);
  const store = await openVectorStore({ db, logger: silentLogger, threads: 1 });
  const find = () => store.findNearestOfMany(queries, { model: "early", limit: 10 });
  const idsOf = (lists: Neighbour[][]) => lists.map((list) => list.map(({ chunkId }) => chunkId));
  const exact = idsOf(await find());
  expect(exact[0]?.[0]).toBe(nearestTo(queries[0] as Float32Array, rows));

  await until(async () => {
    const [filled] = await db.query<{ count: number }>(sql`select count(*) from vector_index_1`);
    return filled?.count === vectors.length;
  });
  await store.close();
  const again = await openVectorStore({ db, logger: silentLogger, threads: 1 });
  const indexed = idsOf(await again.findNearestOfMany(queries, { model: "early", limit: 10 }));
  await again.close();
  // Or the recall would be that of a plain comparison.
  expect(await countIndexScans()).toBeGreaterThanOrEqual(queries.length);
  const hits = indexed.map((list, place) => list.filter((id) => exact[place]?.includes(id)).length);
  const recall = hits.reduce((sum, count) => sum + count, 0) / (10 * queries.length);
  expect(recall).toBeGreaterThanOrEqual(0.95);
});

async function countIndexScans(): Promise<number | undefined> {
  await db.query(sql`select pg_stat_force_next_flush()`);
  const [row] = await db.query<{ scans: number }>(sql`
    select idx_scan as scans from pg_stat_user_indexes where indexrelname = 'vector_index_1_embedding_idx'`);
  return row?.scans;
}

function nearestTo(query: Float32Array, rows: readonly { chunkId: string; vector: Float32Array }[]) {
  const cosine = (vector: Float32Array) => vector.reduce((sum, v, i) => sum + v * (query[i] as number), 0);
  return [...rows].sort((one, other) => cosine(other.vector) - cosine(one.vector))[0]?.chunkId;
}
