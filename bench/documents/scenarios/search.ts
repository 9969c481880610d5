/** Hybrid search over HTTP in a library of 100,000 passages, one question after the other. */
import type { SearchAnswer } from "../../../src/contract/documents.ts";
import { type Entry, type Scenario, takeTurns } from "../../harness/bench.ts";
import { now } from "../../harness/clock.ts";
import { startDocmill } from "../../harness/docmill-server.ts";
import { median, quantile } from "../../harness/result.ts";
import { createFilled } from "../filled-database.ts";
import { describeLibrary } from "../made-up-passages.ts";

const modes = ["hybrid", "text", "meaning"] as const;
/** Milliseconds, by the way the vectors are searched. */
const most = { exact: { p50: 60, p99: 200 }, pgvector: { p50: 20, p99: 80 } } as const;

export const search: Scenario = {
  name: "search",
  title: "hybrid search in a large library",
  async run(bench) {
    const { database, chunks, hasPgvector } = await createFilled(bench);
    const server = await startDocmill({ args: ["--no-workers"], env: { DATABASE_URL: database.url } });
    try {
      const questions = bench.options.quick ? 100 : 300;
      const ask = async (mode: string, text: string) => {
        const startedAt = now();
        const query = new URLSearchParams({ q: text, mode });
        const { items } = await server.get<SearchAnswer>(`/api/search?${query}`);
        if (items.length === 0) throw new Error(`nothing was found for "${text}"`);
        return now() - startedAt;
      };
      const { text, random, topics } = describeLibrary();
      const next = () => text.ask(random, Math.floor(random.next() * topics));
      // The first loads the vectors; some more warm up what translates itself while it runs.
      for (let warmUp = 0; warmUp < 20; warmUp++) await ask("hybrid", next());
      const p99s = new Map<string, number[]>(modes.map((mode) => [mode, []]));
      const entries = modes.map((mode): Entry => {
        return {
          case: `${chunks} chunks, p50`,
          contender: mode,
          unit: "ms",
          async measure() {
            const waits: number[] = [];
            for (let count = 0; count < questions; count++) waits.push(await ask(mode, next()));
            p99s.get(mode)?.push(quantile(waits, 0.99));
            return median(waits);
          },
        };
      });
      const { measured, skipped } = await takeTurns(bench, entries);
      const all = [
        ...measured,
        ...modes.map((mode) => {
          return { case: `${chunks} chunks, p99`, contender: mode, unit: "ms", values: p99s.get(mode) ?? [] };
        }),
      ];
      return {
        scenario: this.name,
        measured: all,
        skipped: hasPgvector
          ? skipped
          : [...skipped, "HNSW: the database has no pgvector, so vectors are compared one by one"],
        bars: makeBars(hasPgvector, measured.find(({ contender }) => contender === "hybrid")?.values ?? [], p99s),
      };
    } finally {
      await server.stop();
      await database.drop();
    }
  },
};

function makeBars(hasPgvector: boolean, p50s: readonly number[], p99s: ReadonlyMap<string, number[]>) {
  const method = hasPgvector ? "pgvector" : "exact";
  const bars = most[method];
  return [
    { what: `hybrid, ${method}: p50, ms`, value: median(p50s), sense: "at most", bar: bars.p50 },
    { what: `hybrid, ${method}: p99, ms`, value: median(p99s.get("hybrid") ?? []), sense: "at most", bar: bars.p99 },
  ] as const;
}
