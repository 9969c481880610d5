/** What exact search promises about a table that changes under it. */
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import type { Database } from "../../src/db/database.ts";
import { sql } from "../../src/db/sql.ts";
import type { Logger } from "../../src/logger.ts";
import { openVectorStore } from "../../src/vectors/open-vector-store.ts";
import type { ChunkVector, VectorStore } from "../../src/vectors/vector-store.ts";
import { addDocument, addVectors, clusteredVectors, unit } from "../support/chunk-rows.ts";
import { silentLogger } from "../support/silent-logger.ts";
import { createTestDatabase, describeOnEachServer } from "../support/test-database.ts";

describeOnEachServer("exact search", (server) => {
  let db: Database;
  let drop: () => Promise<void>;
  let store: VectorStore;
  let model: string;
  let models = 0;

  beforeAll(async () => {
    ({ db, drop } = await createTestDatabase({ server }));
    store = await openVectorStore({ db, logger: silentLogger, threads: 2 });
  });
  afterAll(async () => {
    await store.close();
    await drop();
  });
  beforeEach(() => {
    model = `model-${++models}`;
  });

  const add = (vectors: readonly Float32Array[]) => addVectors(db, (tx, rows) => store.save(tx, model, rows), vectors);
  const count = async () => (await store.findNearest(unit(1, 0, 0), { model, limit: 100 })).length;

  it("finds what a transaction wrote that began before others and ended after them", async () => {
    await add([unit(1, 0, 0)]);
    expect(await count()).toBe(1);
    const { documentId, chunkIds } = await addDocument(db, 1);
    const written = Promise.withResolvers<void>();
    const mayEnd = Promise.withResolvers<void>();
    const late = db.transaction(async (tx) => {
      await store.save(tx, model, [{ chunkId: chunkIds[0] as string, documentId, vector: unit(0, 1, 0) }]);
      written.resolve();
      await mayEnd.promise;
    });
    await written.promise;
    for (let turn = 2; turn <= 4; turn++) {
      await add([unit(1, turn, 0)]);
      expect(await count()).toBe(turn);
    }
    mayEnd.resolve();
    await late;
    expect(await count()).toBe(5);
  });

  it("finds the vectors of a dump from a server whose transactions were further, and takes them over", async () => {
    await add([unit(1, 0, 0)]);
    expect(await count()).toBe(1);
    const restored = await add([unit(0, 1, 0), unit(0, 0, 1)]);
    await db.query(sql`
      update chunk_vectors set written_by = '900000000' where chunk_id = any (${restored.map((row) => row.chunkId)}::uuid[])`);
    expect(await count()).toBe(3);
    expect(await count()).toBe(3);
    const foreign = sql`select 1 from chunk_vectors where written_by >= pg_snapshot_xmax(pg_current_snapshot())`;
    expect(await db.query(foreign)).toEqual([]);
    await add([unit(1, 1, 0)]);
    expect(await count()).toBe(4);
  });

  it("answers as a plain comparison does, over several threads", async () => {
    const vectors = clusteredVectors(6_000, { dimensions: 30, clusters: 40, seed: 11 });
    const rows = await add(vectors);
    const query = clusteredVectors(1, { dimensions: 30, clusters: 1, seed: 12 })[0] as Float32Array;
    const expected = nearest(rows, query, 20);
    const found = await store.findNearest(query, { model, limit: 20 });
    expect(found.map(({ chunkId }) => chunkId)).toEqual(expected.map(({ chunkId }) => chunkId));
    for (const [place, { cosine }] of expected.entries()) expect(found[place]?.cosine).toBeCloseTo(cosine, 5);
  });

  it("makes room again for what is deleted", async () => {
    const vectors = clusteredVectors(3_000, { dimensions: 8, clusters: 3, seed: 5 });
    const [gone, left] = [await add(vectors.slice(0, 2_000)), await add(vectors.slice(2_000))];
    await store.findNearest(vectors[0] as Float32Array, { model, limit: 10 });
    await db.query(sql`delete from documents where id = ${(gone[0] as ChunkVector).documentId}`);
    for (let turn = 0; turn < 3; turn++) {
      const found = await store.findNearest(vectors[0] as Float32Array, { model, limit: 10 });
      const expected = nearest(left, vectors[0] as Float32Array, 10);
      expect(found.map(({ chunkId }) => chunkId)).toEqual(expected.map(({ chunkId }) => chunkId));
    }
  });

  it("chooses the same of many equals, whenever they came and in whatever process", async () => {
    const query = unit(3, 2, 1);
    const ids: string[] = [];
    // So that the first are loaded in the order of their ids, and the others join in the order they came.
    for (let turn = 0; turn < 12; turn++) {
      const rows = await add(Array.from({ length: 400 }, () => unit(1, 1, 1)));
      ids.push(...rows.map(({ chunkId }) => chunkId));
      await store.findNearest(query, { model, limit: 1 });
    }
    const expected = ids.sort().slice(0, 10);
    const other = await openVectorStore({ db, logger: silentLogger, threads: 1 });
    for (const one of [store, other]) {
      const found = await one.findNearest(query, { model, limit: 10 });
      expect(found.map(({ chunkId }) => chunkId)).toEqual(expected);
    }
    await other.close();
  });

  it("does not keep what comes and goes without ever being found", async () => {
    const loaded: number[] = [];
    const logger = { ...silentLogger, info: ({ vectors }: { vectors: number }) => loaded.push(vectors) };
    const watched = await openVectorStore({ db, logger: logger as unknown as Logger, threads: 1 });
    for (let turn = 0; turn < 4; turn++) {
      const [passing] = await add(Array.from({ length: 1_500 }, () => unit(0, 0, 1)));
      await add([unit(1, turn, 0)]);
      const found = await watched.findNearest(unit(1, 0, 0), { model, limit: 100, minCosine: 0.1 });
      expect(found).toHaveLength(turn + 1);
      await db.query(sql`delete from documents where id = ${passing?.documentId}`);
    }
    await watched.close();
    const [, ...reloads] = loaded;
    expect(reloads.length).toBeGreaterThan(0);
    expect(Math.max(...reloads)).toBeLessThan(2_000);
  });
});

function nearest(rows: readonly ChunkVector[], query: Float32Array, limit: number) {
  return rows
    .map(({ chunkId, vector }) => ({
      chunkId,
      cosine: vector.reduce((sum, v, i) => sum + v * (query[i] as number), 0),
    }))
    .sort((one, other) => other.cosine - one.cosine)
    .slice(0, limit);
}
