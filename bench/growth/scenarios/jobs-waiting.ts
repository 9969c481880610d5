/**
 * Jobs from a table in which ever more wait behind them: a claim hops through an index and an enqueue adds to its end, so
 * neither may notice. A page of the list is read from the index it stands in; only what counts all jobs may take longer.
 */
import { setTimeout as delay } from "node:timers/promises";
import { countClaimBuffers } from "../../engine/claim-buffers.ts";
import { loadContender } from "../../engine/contenders.ts";
import { addWaiting } from "../../engine/full-table-sql.ts";
import { measureRate } from "../../engine/measure-rate.ts";
import { type Bench, type Scenario, takeTurns } from "../../harness/bench.ts";
import { type DocmillServer, startDocmill } from "../../harness/docmill-server.ts";
import { median } from "../../harness/result.ts";
import { withClient } from "../../harness/server.ts";
import { chooseSizes, flat, type Growth, linear, recordGrowth } from "../growth.ts";
import { timeRequests } from "../time-requests.ts";

const contenderName = "docmill";
const settings = { workload: "one step", concurrency: 10, batching: true } as const;
const sizes = [1_000, 10_000, 100_000, 1_000_000];
const warmUpJobs = 1_000;
const measuredJobs = 8_000;
const enqueued = 100;
const requests = 20;
/** Times as long as it took to count, and no longer than this. */
const keptFor = 21;
const keptAtMostMs = 16_000;

const figures = {
  rate: { name: "claim + complete", unit: "jobs/s", isRate: true, mayGrow: flat(1.2) },
  // An index of a million entries is three levels deep where one of thousands is two.
  buffers: { name: "a claim of 100", unit: "buffers", mayGrow: flat(1.5) },
  enqueue: { name: "enqueue", unit: "ms", mayGrow: flat(1.5) },
  list: { name: "GET jobs", unit: "ms", mayGrow: flat(2) },
  filtered: { name: "GET jobs of a state", unit: "ms", mayGrow: flat(2) },
  stats: { name: "GET stats, counted", unit: "ms", mayGrow: linear },
};
type FigureName = keyof typeof figures;

export const jobsWaiting: Scenario = {
  name: "jobs-waiting",
  title: "jobs with up to a million more waiting behind them",
  async run(bench) {
    const chosen = chooseSizes(bench, sizes);
    const growth = recordGrowth("jobs waiting", chosen, figures);
    const entries = chosen.map((size) => growth.entryAt(size, "rate", () => measureAt(bench, size, growth)));
    for (const size of chosen) await bench.server.prepareDatabase(...tableOf(size));
    const { skipped } = await takeTurns(bench, entries);
    return growth.describe({ scenario: this.name, skipped });
  },
};

/** Answers the rate; adds everything else. */
async function measureAt(bench: Bench, size: number, growth: Growth<FigureName>): Promise<number> {
  const database = await bench.server.createDatabase(...tableOf(size));
  const { url } = database;
  try {
    await timeReads(url, size, growth);
    growth.add(size, "enqueue", await timeEnqueue(url));
    const buffers = await withClient(url, async (client) => {
      // The first one to come by reads from the disk and marks what is dead.
      await countClaimBuffers(client);
      const counted = await countClaimBuffers(client);
      await client.query("checkpoint");
      return counted;
    });
    growth.add(size, "buffers", buffers);
    const worker = { ...settings, url };
    return await measureRate({ contender: contenderName, settings: worker, warmUpJobs, jobs: measuredJobs });
  } finally {
    await database.drop();
  }
}

/** Its name, and what makes it. */
function tableOf(size: number): [string, (url: string) => Promise<void>] {
  return [`${contenderName}, ${size} waiting`, (url) => fill(url, size)];
}

/** So many that as many as the size says still wait when the measurement is over. */
async function fill(url: string, size: number): Promise<void> {
  await (await loadContender(contenderName)).install(url);
  await withClient(url, async (client) => {
    await client.query(addWaiting, [size + warmUpJobs + measuredJobs]);
    await client.query("vacuum analyze");
  });
}

async function timeReads(url: string, size: number, growth: Growth<FigureName>): Promise<void> {
  const server = await startDocmill({ args: ["--no-workers"], env: { DATABASE_URL: url } });
  try {
    growth.add(size, "stats", await timeCount(server));
    const read = async (path: string) => {
      await server.get(path);
      return median(await timeRequests(requests, () => server.get(path)));
    };
    growth.add(size, "list", await read("/api/jobs?limit=50"));
    growth.add(size, "filtered", await read("/api/jobs?state=pending&limit=50"));
  } finally {
    await server.stop();
  }
}

/** The second count: the first one has the server read its own sources as well. One that took long is kept for a while. */
async function timeCount(server: DocmillServer): Promise<number> {
  const count = async () => (await timeRequests(1, () => server.get("/api/stats")))[0] as number;
  await delay(Math.min(keptFor * (await count()), keptAtMostMs));
  return count();
}

async function timeEnqueue(url: string): Promise<number> {
  const producer = await (await loadContender(contenderName)).openProducer(url, settings.workload);
  let n = 0;
  const add = () => producer.addOne({ n: n++, group: 0 });
  try {
    await timeRequests(enqueued / 10, add);
    return median(await timeRequests(enqueued, add));
  } finally {
    await producer.close();
  }
}
