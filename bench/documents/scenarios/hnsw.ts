/**
 * pgvector's index on vectors of real passages: how fast it finds the nearest, and how many of the truly nearest those
 * are. It runs in PGlite, which has pgvector wherever the bench runs, in one thread and WebAssembly. Filling the index
 * there takes minutes, so there are a fifth of the vectors that the bar is about, and no search for words beside it.
 */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { openLocalEmbedder } from "../../../src/providers/embeddings/local/open-local-embedder.ts";
import { openVectorStore } from "../../../src/vectors/open-vector-store.ts";
import { addVectors } from "../../../test/support/chunk-rows.ts";
import { openPgliteDatabase } from "../../../test/support/pglite-database.ts";
import { silentLogger as logger } from "../../../test/support/silent-logger.ts";
import { type Scenario, takeTurns } from "../../harness/bench.ts";
import { now } from "../../harness/clock.ts";
import { withoutCorpus } from "../../harness/corpus.ts";
import { hasProgram, readOutput } from "../../harness/programs.ts";
import { median, quantile } from "../../harness/result.ts";

const threads = 2;
const searches = 200;
const limit = 10;
const wordsPerPassage = 25;
const vectorsPerDocument = 250;
const most = { p50: 20, p99: 80 };
const leastRecall = 0.95;

export const hnsw: Scenario = {
  name: "hnsw",
  title: "nearest vectors by pgvector's index",
  async run(bench) {
    const absent = withoutCorpus(bench, this.name);
    if (absent) return absent;
    if (!(await hasProgram("pdftotext"))) {
      const bars = [{ what: "measured", value: undefined, sense: "at least", bar: 1 }] as const;
      return { scenario: this.name, measured: [], bars, skipped: ["pdftotext is not installed"] };
    }
    const wanted = bench.options.quick ? 3_000 : 20_000;
    const { model, vectors } = await embedPassages(bench.options.corpus, wanted + searches);
    const queries = vectors.splice(0, searches);
    const { db, drop } = await openPgliteDatabase();
    const store = await openVectorStore({ db, logger, threads });
    try {
      const ids: string[] = [];
      const startedAt = now();
      for (let first = 0; first < vectors.length; first += vectorsPerDocument) {
        const some = vectors.slice(first, first + vectorsPerDocument);
        const rows = await addVectors(db, (tx, given) => store.save(tx, model, given), some);
        ids.push(...rows.map(({ chunkId }) => chunkId));
      }
      const fillSeconds = (now() - startedAt) / 1_000;
      const p99s: number[] = [];
      const recalls: number[] = [];
      const { measured, skipped } = await takeTurns(bench, [
        {
          case: `one of ${vectors.length}, p50`,
          contender: store.method,
          unit: "ms",
          async measure() {
            const waits: number[] = [];
            let found = 0;
            for (const query of queries) {
              const askedAt = now();
              const nearest = await store.findNearest(query, { model, limit });
              waits.push(now() - askedAt);
              const truth = findExactly(query, vectors).map((place) => ids[place]);
              found += nearest.filter(({ chunkId }) => truth.includes(chunkId)).length;
            }
            p99s.push(quantile(waits, 0.99));
            recalls.push(found / (queries.length * limit));
            return median(waits);
          },
        },
      ]);
      const facts = { contender: store.method };
      return {
        scenario: this.name,
        measured: [
          ...measured,
          { ...facts, case: `one of ${vectors.length}, p99`, unit: "ms", values: p99s },
          { ...facts, case: `recall@${limit}`, unit: "", values: recalls },
          { ...facts, case: "filling", unit: "vectors/s", values: [vectors.length / fillSeconds] },
        ],
        skipped,
        bars: [
          { what: "p50, ms", value: median(measured[0]?.values ?? []), sense: "at most", bar: most.p50 },
          { what: "p99, ms", value: median(p99s), sense: "at most", bar: most.p99 },
          { what: `recall@${limit}`, value: median(recalls), sense: "at least", bar: leastRecall },
        ],
      };
    } finally {
      await store.close();
      await drop();
    }
  },
};

/** Vectors of passages from the corpus, each said once; those that lie side by side in a text are scattered. */
async function embedPassages(corpus: string, count: number): Promise<{ model: string; vectors: Float32Array[] }> {
  const passages = new Set<string>();
  for (const name of (await readdir(join(corpus, "pdf"))).filter((file) => file.endsWith(".pdf")).sort()) {
    const text = await readOutput("pdftotext", [join(corpus, "pdf", name), "-"]).catch(() => "");
    const words = text.split(/\s+/);
    for (let first = 0; first + wordsPerPassage <= words.length; first += wordsPerPassage) {
      passages.add(words.slice(first, first + wordsPerPassage).join(" "));
    }
  }
  const all = [...passages];
  const stride = Math.max(1, Math.floor(all.length / count));
  const chosen = all.filter((_, place) => place % stride === 0).slice(0, count);
  const embedder = openLocalEmbedder({ threads });
  try {
    const context = {
      signal: new AbortController().signal,
      remember: () => Promise.reject(new Error("the local model pays for nothing")),
    };
    const vectors = await embedder.embed(chosen, context);
    return { model: embedder.model, vectors: scatter(vectors) };
  } finally {
    await embedder.close();
  }
}

/** The first of them then come from everywhere, and can be asked for. */
function scatter<Item>(items: readonly Item[]): Item[] {
  const step = Math.ceil(items.length / searches);
  return items
    .map((item, place) => ({ item, order: (place % step) * items.length + place }))
    .sort((one, other) => one.order - other.order)
    .map(({ item }) => item);
}

/** The places of the nearest, by comparing with all. */
function findExactly(query: Float32Array, vectors: readonly Float32Array[]): number[] {
  const cosines = Float64Array.from(vectors, (vector) => {
    let sum = 0;
    for (let at = 0; at < query.length; at++) sum += (query[at] as number) * (vector[at] as number);
    return sum;
  });
  const least = cosines.toSorted().at(-limit) as number;
  return [...cosines.keys()].filter((place) => (cosines[place] as number) >= least);
}
