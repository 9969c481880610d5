/**
 * A library of up to ten thousand documents: what a person does with one of them, and a page of the list, may not depend on
 * how many there are. What goes through all of them (a filter no index has, an order by name, a search) may, as they do.
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Bench, type Scenario, takeTurns } from "../../harness/bench.ts";
import { now } from "../../harness/clock.ts";
import { type DocmillServer, startDocmill } from "../../harness/docmill-server.ts";
import { median } from "../../harness/result.ts";
import { openQuestions } from "../ask-library.ts";
import { chooseSizes, flat, type Growth, linear, recordGrowth, showSize } from "../growth.ts";
import { openGrowingLibrary } from "../library.ts";
import { timeRequests } from "../time-requests.ts";

const sizes = [10, 100, 1_000, 10_000];
const chunksOfEach = 10;
const requests = 20;

const figures = {
  list: { name: "GET documents", unit: "ms", mayGrow: flat(2) },
  byName: { name: "by name", unit: "ms", mayGrow: linear },
  processing: { name: "those being processed", unit: "ms", mayGrow: linear },
  detail: { name: "GET one", unit: "ms", mayGrow: flat(2) },
  upload: { name: "answer to an upload", unit: "ms", mayGrow: flat(2) },
  text: { name: "search by words", unit: "ms", mayGrow: linear },
  hybrid: { name: "hybrid search", unit: "ms", mayGrow: linear },
};
type FigureName = keyof typeof figures;

export const documents: Scenario = {
  name: "documents",
  title: "a library of up to ten thousand documents",
  async run(bench) {
    const chosen = chooseSizes(bench, sizes);
    const growth = recordGrowth("documents", chosen, figures);
    const skipped: string[] = [];
    await using place = new AsyncDisposableStack();
    const folder = await mkdtemp(join(tmpdir(), "docmill-bench-"));
    place.defer(() => rm(folder, { recursive: true }));
    const database = await bench.server.createDatabase("empty", async () => undefined);
    place.defer(() => database.drop());
    const library = await openGrowingLibrary(database.url);
    place.defer(() => library.close());
    const ownId = await library.addAnother(chunksOfEach);
    const server = await startDocmill({ args: ["--no-workers"], env: { DATABASE_URL: database.url } });
    place.defer(() => server.stop());
    for (const size of chosen) {
      const startedAt = now();
      await library.growTo(size, chunksOfEach);
      bench.say(`  grown to ${showSize(size)} documents in ${((now() - startedAt) / 1_000).toFixed(0)} s`);
      skipped.push(...(await measureAt(bench, server, { size, ownId, folder }, growth)));
    }
    return growth.describe({ scenario: this.name, skipped });
  },
};

/** Answers what was skipped. */
async function measureAt(
  bench: Bench,
  server: DocmillServer,
  { size, ownId, folder }: { size: number; ownId: string; folder: string },
  growth: Growth<FigureName>,
): Promise<string[]> {
  const ask = openQuestions(server);
  const requestsOf: Record<Exclude<FigureName, "upload">, () => Promise<unknown>> = {
    list: () => server.get("/api/documents?limit=50"),
    byName: () => server.get("/api/documents?limit=50&sort=name"),
    processing: () => server.get("/api/documents?limit=50&status=Processing"),
    detail: () => server.get(`/api/documents/${ownId}`),
    text: () => ask("text"),
    hybrid: () => ask("hybrid"),
  };
  // What translates itself while it runs, and the vectors that a search loads.
  for (const request of Object.values(requestsOf)) await request();
  const entries = Object.entries(requestsOf).map(([name, request]) =>
    growth.entryAt(size, name as FigureName, async () => median(await timeRequests(requests, request))),
  );
  const uploads = growth.entryAt(size, "upload", async () => median(await timeUploads(server, folder)));
  return (await takeTurns(bench, [...entries, uploads])).skipped;
}

/** Each is removed again, so that the library stays as large as it is. */
async function timeUploads(server: DocmillServer, folder: string): Promise<number[]> {
  const path = join(folder, "note.md");
  const waits: number[] = [];
  for (let count = 0; count < requests; count++) {
    await writeFile(path, `# Note ${count}\n\nWritten at ${now()}.\n`);
    const startedAt = now();
    const { id } = await server.upload(path);
    waits.push(now() - startedAt);
    await server.remove(id);
  }
  return waits;
}
