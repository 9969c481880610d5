/**
 * The nearest of 100,000 vectors, without everything around it: one query after another, and 500 at once as the search
 * for a document's connections asks them. With pgvector where the server has it, and exact where it has not.
 */
import { openDatabase } from "../../../src/db/database.ts";
import { sql } from "../../../src/db/sql.ts";
import { openLocalEmbedder } from "../../../src/providers/embeddings/local/open-local-embedder.ts";
import { openVectorStore } from "../../../src/vectors/open-vector-store.ts";
import { silentLogger as logger } from "../../../test/support/silent-logger.ts";
import { type Scenario, takeTurns } from "../../harness/bench.ts";
import { now } from "../../harness/clock.ts";
import { median, quantile } from "../../harness/result.ts";
import { ownDocumentId } from "../fill-library.ts";
import { createFilled } from "../filled-database.ts";

const threads = 2;
const searches = 200;
const limit = 10;
const connectionLimit = 50;
/** Milliseconds for one query, on an idle machine with two cores. */
const most = { exact: { p50: 35, p99: 120 }, pgvector: { p50: 15, p99: 60 } } as const;
const mostSecondsForMany = 6;

export const vectors: Scenario = {
  name: "vectors",
  title: "nearest vectors in a large library",
  async run(bench) {
    const { database, chunks, hasPgvector } = await createFilled(bench);
    const db = openDatabase({ url: database.url, logger });
    const store = await openVectorStore({ db, logger, threads });
    try {
      const { model } = openLocalEmbedder({ threads: 1 });
      const rows = await db.query<{ vector: Buffer }>(sql`
        select vector from chunk_vectors where document_id = ${ownDocumentId}`);
      const queries = rows.map(({ vector }) => new Float32Array(new Uint8Array(vector).buffer));
      const find = (query: Float32Array | undefined) => store.findNearest(query as Float32Array, { model, limit });
      const loadedAt = now();
      await find(queries[0]);
      const loadMs = now() - loadedAt;
      const p99s: number[] = [];
      const { measured, skipped } = await takeTurns(bench, [
        {
          case: `one of ${chunks}, p50`,
          contender: store.method,
          unit: "ms",
          async measure() {
            const waits: number[] = [];
            for (let count = 0; count < searches; count++) {
              const startedAt = now();
              await find(queries[count % queries.length]);
              waits.push(now() - startedAt);
            }
            p99s.push(quantile(waits, 0.99));
            return median(waits);
          },
        },
        {
          case: `${queries.length} at once`,
          contender: store.method,
          unit: "s",
          async measure() {
            const startedAt = now();
            const query = { model, limit: connectionLimit, exceptDocumentId: ownDocumentId };
            await store.findNearestOfMany(queries, query);
            return (now() - startedAt) / 1_000;
          },
        },
      ]);
      const [single, many] = measured;
      const bars = most[hasPgvector ? "pgvector" : "exact"];
      return {
        scenario: this.name,
        measured: [
          ...measured,
          { case: `one of ${chunks}, p99`, contender: store.method, unit: "ms", values: p99s },
          { case: "first search", contender: store.method, unit: "ms", values: [loadMs] },
        ],
        skipped: hasPgvector ? skipped : [...skipped, "pgvector: the database does not have it"],
        bars: [
          { what: `${store.method}: p50, ms`, value: single && median(single.values), sense: "at most", bar: bars.p50 },
          { what: `${store.method}: p99, ms`, value: median(p99s), sense: "at most", bar: bars.p99 },
          {
            what: `${queries.length} at once, s`,
            value: many && median(many.values),
            sense: "at most",
            bar: mostSecondsForMany,
          },
        ],
      };
    } finally {
      await store.close();
      await db.close();
      await database.drop();
    }
  },
};
