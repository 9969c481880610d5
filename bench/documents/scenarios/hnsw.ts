/**
 * Search where pgvector finds the nearest, in a library of real passages: how long it takes, and how many of the truly
 * nearest it finds. On a server without pgvector it is measured in PGlite, which has it wherever the bench runs: with a
 * fifth of the passages, since filling the index takes minutes there, and without the words.
 */
import type { Database } from "../../../src/db/database.ts";
import { Sql, sql } from "../../../src/db/sql.ts";
import { openExactSearch } from "../../../src/vectors/exact/open-exact-search.ts";
import { silentLogger as logger } from "../../../test/support/silent-logger.ts";
import { type Bench, type Entry, type Scenario, takeTurns } from "../../harness/bench.ts";
import { now } from "../../harness/clock.ts";
import { withoutCorpus } from "../../harness/corpus.ts";
import { hasProgram } from "../../harness/programs.ts";
import { type Measured, median, quantile } from "../../harness/result.ts";
import { readQuestions } from "../../quality/questions.ts";
import { fillLibrary } from "../fill-library.ts";
import { findPgvector } from "../filled-database.ts";
import { openInPglite, openOnServer, type PgvectorSearch, type Question } from "../pgvector-places.ts";
import { embedLocally, embedRealPassages } from "../real-passages.ts";

const threads = 2;
const limit = 10;
/** How often each question is asked in a round. */
const repeats = 4;
const most = { p50: 20, p99: 80 };
const leastRecall = 0.95;
const inPglite = "the server has no pgvector: measured in PGlite, by meaning alone (--server names one that has it)";

export const hnsw: Scenario = {
  name: "hnsw",
  title: "search by pgvector's index in a library of real passages",
  async run(bench) {
    const absent = withoutCorpus(bench, this.name);
    if (absent) return absent;
    if (!(await hasProgram("pdftotext"))) {
      const bars = [{ what: "measured", value: undefined, sense: "at least", bar: 1 }] as const;
      return { scenario: this.name, measured: [], bars, skipped: ["pdftotext is not installed"] };
    }
    const version = await findPgvector(bench);
    if (version === undefined) bench.say(`  ${inPglite}`);
    const chunks = (version === undefined ? 20_000 : 100_000) / (bench.options.quick ? 5 : 1);
    bench.say(`  embedding passages for ${chunks} chunks`);
    const source = await embedRealPassages(bench.options.corpus, chunks);
    const place = version === undefined ? await openInPglite() : await openOnServer(bench);
    try {
      bench.say("  filling the library");
      const startedAt = now();
      await fillLibrary(place.db, source, { chunks });
      const fillSeconds = (now() - startedAt) / 1_000;
      const { model, questions } = await readAsked();
      const search = await place.openSearch(model);
      try {
        const { p50s, p99s, skipped } = await timeWays(bench, search, questions);
        const recall = await measureRecall(place.db, search, { model, questions });
        const facts = { contender: `pgvector ${version ?? "in PGlite"}`, unit: "s" };
        const built = version === undefined ? [] : [await timeIndexing(place.db)];
        return {
          scenario: this.name,
          measured: [
            ...p50s.map((entry) => ({ ...entry, case: `one of ${chunks}, p50` })),
            ...p99s.map((entry) => ({ ...entry, case: `one of ${chunks}, p99` })),
            { ...facts, case: `recall@${limit}`, unit: "", values: [recall] },
            { ...facts, case: "filling with the index in place", values: [fillSeconds] },
            { ...facts, case: "making the index anew", values: built },
          ],
          skipped: version === undefined ? [...skipped, inPglite] : skipped,
          bars: [
            { what: `${p50s[0]?.contender}: p50, ms`, value: medianOf(p50s[0]), sense: "at most", bar: most.p50 },
            { what: `${p99s[0]?.contender}: p99, ms`, value: medianOf(p99s[0]), sense: "at most", bar: most.p99 },
            { what: `recall@${limit}`, value: recall, sense: "at least", bar: leastRecall },
          ],
        };
      } finally {
        await search.close();
      }
    } finally {
      await place.close();
    }
  },
};

async function readAsked(): Promise<{ model: string; questions: Question[] }> {
  const texts = (await readQuestions()).map(({ question }) => question);
  const { model, vectors } = await embedLocally(texts);
  return { model, questions: texts.map((text, at) => ({ text, vector: vectors[at] as Float32Array })) };
}

async function timeWays(bench: Bench, { ways }: PgvectorSearch, questions: readonly Question[]) {
  // What is read for the first time, and what translates itself while it runs.
  for (const ask of ways.values()) for (const question of questions) await ask(question, limit);
  const p99s = [...ways.keys()].map((contender) => ({ case: "p99", contender, unit: "ms", values: [] as number[] }));
  const entries = [...ways.values()].map((ask, place): Entry => {
    return {
      ...(p99s[place] as Measured),
      case: "p50",
      async measure() {
        const waits: number[] = [];
        for (let repeat = 0; repeat < repeats; repeat++) {
          for (const question of questions) {
            const askedAt = now();
            await ask(question, limit);
            waits.push(now() - askedAt);
          }
        }
        p99s[place]?.values.push(quantile(waits, 0.99));
        return median(waits);
      },
    };
  });
  const { measured, skipped } = await takeTurns(bench, entries);
  return { p50s: measured, p99s, skipped };
}

/** The share of the truly nearest, found by comparing with all, among those that the index finds. */
async function measureRecall(
  db: Database,
  { ways, byMeaning }: PgvectorSearch,
  { model, questions }: { model: string; questions: readonly Question[] },
): Promise<number> {
  const exact = openExactSearch({ db, logger, threads });
  try {
    const truths = await exact.find(
      questions.map(({ vector }) => vector),
      { model, limit },
    );
    let found = 0;
    for (const [place, question] of questions.entries()) {
      const ids = (await ways.get(byMeaning)?.(question, limit)) ?? [];
      found += (truths[place] ?? []).filter(({ chunkId }) => ids.includes(chunkId)).length;
    }
    return found / (questions.length * limit);
  } finally {
    await exact.close();
  }
}

/** Seconds that the index takes over a table that is full already. */
async function timeIndexing(db: Database): Promise<number> {
  const [index] = await db.query<{ name: string }>(sql`
    select c.oid::regclass::text as name from pg_class c join pg_am a on a.oid = c.relam where a.amname = 'hnsw'`);
  const startedAt = now();
  await db.transaction(async (tx) => {
    await tx.query(sql`set local maintenance_work_mem = '1GB'`);
    await tx.query(sql`reindex index ${new Sql([index?.name ?? ""], [])}`);
  });
  return (now() - startedAt) / 1_000;
}

function medianOf(measured: Measured | undefined): number | undefined {
  return measured && median(measured.values);
}
