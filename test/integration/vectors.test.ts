/** What every store of vectors promises, on exact search and on pgvector alike. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Database } from "../../src/db/database.ts";
import { sql } from "../../src/db/sql.ts";
import { openVectorStore } from "../../src/vectors/open-vector-store.ts";
import type { ChunkVector, VectorStore } from "../../src/vectors/vector-store.ts";
import { addChunks, addDocument, addVectors, clusteredVectors, unit } from "../support/chunk-rows.ts";
import { openPgliteDatabase } from "../support/pglite-database.ts";
import { silentLogger } from "../support/silent-logger.ts";
import { createTestDatabase } from "../support/test-database.ts";

const places = [
  { method: "exact", open: createTestDatabase },
  { method: "pgvector", open: openPgliteDatabase },
] as const;

describe.each(places)("vectors with $method search", ({ method, open }) => {
  let db: Database;
  let drop: () => Promise<void>;
  let store: VectorStore;
  /** A model of its own for each test, so that none finds what another has left. */
  let model: string;

  beforeAll(async () => {
    ({ db, drop } = await open());
    store = await openVectorStore({ db, logger: silentLogger, threads: 2 });
  });
  afterAll(async () => {
    await store.close();
    await drop();
  });
  beforeEach(() => {
    model = `model-${randomUUID()}`;
  });

  const save = (rows: readonly ChunkVector[], ofModel = model) => db.transaction((tx) => store.save(tx, ofModel, rows));
  const add = (vectors: readonly Float32Array[], ofModel = model) =>
    addVectors(db, (tx, rows) => store.save(tx, ofModel, rows), vectors);
  const idsOf = (rows: readonly { chunkId: string }[]) => rows.map(({ chunkId }) => chunkId);

  it("are searched by the method the database allows", () => {
    expect(store.method).toBe(method);
  });

  it("are found nearest first, with their cosines", async () => {
    const rows = await add([unit(1, 0, 0), unit(1, 1, 0), unit(0, 1, 0), unit(-1, 0, 0)]);
    const found = await store.findNearest(unit(1, 0, 0), { model, limit: 3 });
    expect(idsOf(found)).toEqual(idsOf(rows.slice(0, 3)));
    expect(found.map(({ documentId }) => documentId)).toEqual(rows.slice(0, 3).map(({ documentId }) => documentId));
    for (const [place, cosine] of [1, Math.SQRT1_2, 0].entries()) expect(found[place]?.cosine).toBeCloseTo(cosine, 5);
  });

  it("of one model never meet those of another", async () => {
    const other = `${model}-other`;
    const [here] = await add([unit(1, 0, 0)]);
    await add([unit(1, 0, 0, 0, 0)], other);
    expect(idsOf(await store.findNearest(unit(1, 0, 0), { model, limit: 10 }))).toEqual([here?.chunkId]);
    expect(await store.findNearest(unit(1, 0, 0, 0, 0), { model: other, limit: 10 })).toHaveLength(1);
    expect(await store.findNearest(unit(1, 0), { model: "unheard of", limit: 10 })).toEqual([]);
  });

  it("of another length than the model's are refused", async () => {
    const rows = await add([unit(1, 0, 0)]);
    await expect(save(rows.map((row) => ({ ...row, vector: unit(1, 0) })))).rejects.toMatchObject({
      code: "VECTOR_SIZE",
    });
    await expect(store.findNearest(unit(1, 0), { model, limit: 1 })).rejects.toMatchObject({ code: "VECTOR_SIZE" });
  });

  it("are filtered by document and by cosine", async () => {
    const [first] = await add([unit(1, 0.1, 0)]);
    const [second] = await add([unit(1, 0.2, 0)]);
    const [third] = await add([unit(1, 0.3, 0), unit(-1, 0, 0)]);
    const search = (filter: object) => store.findNearest(unit(1, 0, 0), { model, limit: 2, ...filter }).then(idsOf);
    expect(await search({})).toEqual(idsOf([first as ChunkVector, second as ChunkVector]));
    expect(await search({ exceptDocumentId: first?.documentId })).toEqual(
      idsOf([second as ChunkVector, third as ChunkVector]),
    );
    expect(await search({ documentIds: [first?.documentId, third?.documentId] })).toEqual(
      idsOf([first as ChunkVector, third as ChunkVector]),
    );
    expect(await search({ documentIds: [first?.documentId], exceptDocumentId: first?.documentId })).toEqual([]);
    expect(await search({ documentIds: [] })).toEqual([]);
    expect(await search({ minCosine: 0.99 })).toEqual(idsOf([first as ChunkVector]));
    expect(await search({ documentIds: [randomUUID()] })).toEqual([]);
  });

  it("are all found that were asked for, however few a filter lets through", async () => {
    const shape = { dimensions: 16, clusters: 5, seed: 7 };
    const many = clusteredVectors(600, shape);
    await add(many);
    // On the far side of everything the query is near to.
    const rare = await add(
      Array.from({ length: 12 }, (_, place) => (many[0] as Float32Array).map((v, i) => (i === place ? -1 : -v))).map(
        (v) => unit(...v),
      ),
    );
    const query = { model, limit: 12, documentIds: [(rare[0] as ChunkVector).documentId] };
    expect(new Set(idsOf(await store.findNearest(many[0] as Float32Array, query)))).toEqual(new Set(idsOf(rare)));
  });

  it("are found for many queries at once as for each alone", async () => {
    const shape = { dimensions: 24, clusters: 8, seed: 3 };
    const vectors = clusteredVectors(500, shape);
    await add(vectors);
    const queries = vectors.slice(0, 80);
    const query = { model, limit: 5, minCosine: 0.2 };
    const together = await store.findNearestOfMany(queries, query);
    expect(together).toHaveLength(queries.length);
    for (const place of [0, 41, 79]) {
      expect(together[place]).toEqual(await store.findNearest(queries[place] as Float32Array, query));
    }
    expect(await store.findNearestOfMany([], query)).toEqual([]);
  });

  it("replace what the chunk had, also twice in one call", async () => {
    const rows = await add([unit(1, 0, 0), unit(0, 1, 0)]);
    await store.findNearest(unit(1, 0, 0), { model, limit: 1 });
    const [first, second] = rows as [ChunkVector, ChunkVector];
    await save([
      { ...first, vector: unit(1, 0, 0) },
      { ...first, vector: unit(0, 0, 1) },
    ]);
    const found = await store.findNearest(unit(0, 0, 1), { model, limit: 5 });
    expect(idsOf(found)).toEqual(idsOf([first, second]));
    expect(found[0]?.cosine).toBeCloseTo(1, 5);
  });

  it("go with their chunks and leave no gap in the answers", async () => {
    const near = await add(Array.from({ length: 40 }, (_, place) => unit(1, place / 1_000, 0)));
    const far = await add([unit(0, 1, 0), unit(0, 1, 0.1)]);
    expect(await store.findNearest(unit(1, 0, 0), { model, limit: 3 })).toHaveLength(3);
    await db.query(sql`delete from documents where id = ${near[0]?.documentId}`);
    const left = await store.findNearestOfMany([unit(1, 0, 0), unit(0, 1, 0)], { model, limit: 2 });
    for (const found of left) expect(new Set(idsOf(found))).toEqual(new Set(idsOf(far)));
  });

  it("of a document that is read anew are its new ones, under the same ids where the text is the same", async () => {
    const rows = await add([unit(1, 0, 0), unit(0, 1, 0), unit(0, 0, 1)]);
    await store.findNearest(unit(1, 0, 0), { model, limit: 3 });
    const { documentId } = rows[0] as ChunkVector;
    const kept = rows[1] as ChunkVector;
    const added = randomUUID();
    await db.transaction(async (tx) => {
      await tx.query(sql`delete from chunks where document_id = ${documentId}`);
      await addChunks(tx, documentId, [kept.chunkId, added]);
      await store.save(tx, model, [kept, { chunkId: added, documentId, vector: unit(1, 1, 0) }]);
    });
    const found = await store.findNearest(unit(1, 0, 0), { model, limit: 10 });
    expect(idsOf(found)).toEqual([added, kept.chunkId]);
  });

  it("of a transaction that was undone are not found", async () => {
    const [kept] = await add([unit(1, 0, 0)]);
    const { documentId, chunkIds } = await addDocument(db, 1);
    const undone = db.transaction(async (tx) => {
      await store.save(tx, model, [{ chunkId: chunkIds[0] as string, documentId, vector: unit(1, 0, 0) }]);
      throw new Error("undone");
    });
    await expect(undone).rejects.toThrow("undone");
    expect(idsOf(await store.findNearest(unit(1, 0, 0), { model, limit: 5 }))).toEqual([kept?.chunkId]);
  });

  it("that were committed before a search are in its answer, while others write", async () => {
    await add([unit(0, 1, 0)]);
    const writers = Array.from({ length: 4 }, async (_, writer) => {
      for (let turn = 1; turn <= 8; turn++) {
        const vector = unit(1, writer, turn);
        const [row] = await add([vector]);
        const [nearest] = await store.findNearest(vector, { model, limit: 1 });
        expect(nearest?.chunkId).toBe(row?.chunkId);
      }
    });
    await Promise.all(writers);
    expect(await store.findNearest(unit(1, 0, 0), { model, limit: 100 })).toHaveLength(33);
  });

  it("are not searched for someone who no longer waits", async () => {
    await add([unit(1, 0, 0)]);
    const signal = AbortSignal.abort(new Error("gone"));
    await expect(store.findNearest(unit(1, 0, 0), { model, limit: 1 }, signal)).rejects.toThrow("gone");
  });
});
