/** How fast work gets in: many jobs a call, and single ones from ten callers at once. */
import { type Bench, type Entry, type Scenario, takeTurns } from "../../harness/bench.ts";
import { startChild } from "../../harness/child.ts";
import { withClient } from "../../harness/server.ts";
import { ratioBars } from "../bars.ts";
import { loadContender } from "../contenders.ts";
import { workerFile } from "../drain.ts";
import type { WorkerApi } from "../worker-process.ts";

const peers = ["graphile-worker", "pg-boss", "bullmq"];
const callers = 10;
const bulkSize = 5_000;
const warmUp = 500;

export const enqueue: Scenario = {
  name: "enqueue",
  title: "enqueue: in bulk, and singly from 10 callers",
  async run(bench) {
    const { quick } = bench.options;
    const bulk = quick ? 10_000 : 20_000;
    const singles = quick ? 2_000 : 5_000;
    const contenders = ["docmill", "floor", ...peers.filter((peer) => bench.peers.has(peer))];
    const entries = contenders.flatMap((contender): Entry[] => [
      {
        case: "bulk",
        contender,
        unit: "jobs/s",
        note: `${bulkSize} a call`,
        measure: () =>
          produce(
            bench,
            contender,
            async (child) => (bulk / (await child.call("addMany", { count: bulk, size: bulkSize }))) * 1_000,
          ),
      },
      {
        case: "singly",
        contender,
        unit: "jobs/s",
        measure: () =>
          produce(
            bench,
            contender,
            async (child) => (singles / (await child.call("addSingly", { count: singles, callers }))) * 1_000,
          ),
      },
    ]);
    const { measured, skipped } = await takeTurns(bench, entries);
    return { scenario: this.name, measured, skipped, bars: ratioBars(bench, measured, { bestPeer: 1 }) };
  },
};

/** Runs `measure` with a warm producer in a process of its own. */
async function produce(
  bench: Bench,
  name: string,
  measure: (child: ReturnType<typeof startChild<WorkerApi>>) => Promise<number>,
): Promise<number> {
  const contender = await loadContender(name);
  const database = await bench.server.createDatabase(name, contender.install);
  const child = startChild<WorkerApi>(workerFile);
  try {
    await child.call("openProducer", { contender: name, url: database.url, workload: "one step" });
    await child.call("addMany", { count: warmUp, size: warmUp });
    await child.call("addSingly", { count: warmUp, callers });
    await withClient(database.url, (client) => client.query("checkpoint"));
    const rate = await measure(child);
    await child.call("closeProducer", undefined);
    return rate;
  } finally {
    await child.kill();
    await database.drop();
  }
}
