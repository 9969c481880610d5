/**
 * Search and connections in a library of up to a million passages, without pgvector: every question is compared with every
 * vector, so this may grow as they do and no faster. What it takes in memory and on disk is said beside it.
 */
import { setTimeout as delay } from "node:timers/promises";
import { type Bench, type Scenario, takeTurns } from "../../harness/bench.ts";
import { now } from "../../harness/clock.ts";
import { type DocmillServer, startDocmill } from "../../harness/docmill-server.ts";
import { measureOwnMemory } from "../../harness/process-tree.ts";
import { type Bar, median, quantile } from "../../harness/result.ts";
import { withClient } from "../../harness/server.ts";
import { openQuestions, type SearchMode } from "../ask-library.ts";
import { chooseSizes, type Growth, linear, recordGrowth, showSize } from "../growth.ts";
import { openGrowingLibrary } from "../library.ts";
import { timeRequests } from "../time-requests.ts";

const sizes = [1_000, 10_000, 100_000, 1_000_000];
const chunksOfEach = 100;
const ownChunks = 500;
const questions = 40;
const warmUp = 10;
const pollMs = 50;
/** 2 kB are the vector itself; the rest is its passage's and document's id and where it stands. */
const mostKilobytesAChunk = 3;

const figures = {
  p50: { name: "hybrid search, p50", unit: "ms", mayGrow: linear },
  p99: { name: "hybrid search, p99", unit: "ms", mayGrow: linear },
  text: { name: "by words, p50", unit: "ms", mayGrow: linear },
  meaning: { name: "by meaning, p50", unit: "ms", mayGrow: linear },
  first: { name: "first search", unit: "s", mayGrow: linear },
  connections: { name: `connections of ${ownChunks} chunks`, unit: "s", mayGrow: linear },
  memory: { name: "server memory", unit: "MB", mayGrow: linear },
  disk: { name: "database", unit: "MB", mayGrow: linear },
};
type FigureName = keyof typeof figures;

interface Job {
  status: string;
  startedAt: string;
  completedAt: string;
}

export const chunks: Scenario = {
  name: "chunks",
  title: "search and connections in a library of up to a million passages",
  async run(bench) {
    const chosen = chooseSizes(bench, sizes);
    const growth = recordGrowth("chunks", chosen, figures);
    const skipped: string[] = [];
    const database = await bench.server.createDatabase("empty", async () => undefined);
    const library = await openGrowingLibrary(database.url);
    try {
      const ownId = await library.addAnother(ownChunks);
      for (const size of chosen) {
        const startedAt = now();
        await library.growTo(size / chunksOfEach, chunksOfEach);
        bench.say(`  grown to ${showSize(size)} chunks in ${((now() - startedAt) / 1_000).toFixed(0)} s`);
        skipped.push(...(await measureAt(bench, database.url, ownId, size, growth)));
      }
    } finally {
      await library.close();
      await database.drop();
    }
    return growth.describe({ scenario: this.name, skipped, bars: [memoryBar(growth, chosen)] });
  },
};

/** On a server that has just started, so that its memory is what this size takes. Answers what was skipped. */
async function measureAt(
  bench: Bench,
  databaseUrl: string,
  ownId: string,
  size: number,
  growth: Growth<FigureName>,
): Promise<string[]> {
  const server = await startDocmill({ env: { DATABASE_URL: databaseUrl } });
  try {
    const ask = openQuestions(server);
    const [first] = await timeRequests(1, () => ask("hybrid"));
    growth.add(size, "first", (first as number) / 1_000);
    await timeRequests(warmUp, () => ask("hybrid"));
    const timeMode = (mode: SearchMode) => timeRequests(questions, () => ask(mode));
    const { skipped } = await takeTurns(bench, [
      growth.entryAt(size, "p50", async () => {
        const waits = await timeMode("hybrid");
        growth.add(size, "p99", quantile(waits, 0.99));
        return median(waits);
      }),
      growth.entryAt(size, "text", async () => median(await timeMode("text"))),
      growth.entryAt(size, "meaning", async () => median(await timeMode("meaning"))),
      growth.entryAt(size, "connections", () => connect(server, databaseUrl, ownId)),
    ]);
    growth.add(size, "memory", await measureOwnMemory(server.pid));
    growth.add(size, "disk", await measureDisk(databaseUrl));
    return skipped;
  } finally {
    await server.stop();
  }
}

/** Seconds from the start of the job to its end. */
async function connect(server: DocmillServer, databaseUrl: string, documentId: string): Promise<number> {
  await withClient(databaseUrl, (client) => client.query("truncate connections"));
  const { id } = await server.post<{ id: string }>("/api/jobs", { kind: "detect_connections", input: { documentId } });
  for (;;) {
    const job = await server.get<Job>(`/api/jobs/${id}`);
    if (job.status === "completed") return (Date.parse(job.completedAt) - Date.parse(job.startedAt)) / 1_000;
    if (job.status === "failed") throw new Error(`the job failed: ${JSON.stringify(job)}`);
    await delay(pollMs);
  }
}

/** Megabytes. */
function measureDisk(url: string): Promise<number> {
  return withClient(url, async (client) => {
    const { rows } = await client.query<{ bytes: string }>("select pg_database_size(current_database()) as bytes");
    return Number(rows[0]?.bytes) / 2 ** 20;
  });
}

function memoryBar(growth: Growth<FigureName>, chosen: readonly number[]): Bar {
  const [smallest, largest] = [chosen[0] as number, chosen.at(-1) as number];
  const [before, after] = [growth.median(smallest, "memory"), growth.median(largest, "memory")];
  const grown = before === undefined || after === undefined ? undefined : (after - before) * 1_024;
  return {
    what: "server memory a chunk, kB",
    value: grown && grown / (largest - smallest),
    sense: "at most",
    bar: mostKilobytesAChunk,
  };
}
