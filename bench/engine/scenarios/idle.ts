/** What a worker process costs the database while there is nothing to do, counted by the server statement by statement. */
import { setTimeout as delay } from "node:timers/promises";
import { type Bench, type Scenario, takeTurns } from "../../harness/bench.ts";
import { startChild } from "../../harness/child.ts";
import { now } from "../../harness/clock.ts";
import { startBenchServer, withClient } from "../../harness/server.ts";
import { forgetStatementCosts } from "../../harness/statement-costs.ts";
import { loadContender } from "../contenders.ts";
import { workerFile } from "../drain.ts";
import type { WorkerApi } from "../worker-process.ts";

const contenderName = "docmill";
/** As shipped: hints on, polling every 2 s, a heartbeat every 30 s. */
const settings = { workload: "one step", concurrency: 10, batching: false } as const;

export const idle: Scenario = {
  name: "idle",
  title: "one worker process, empty queue",
  async run(bench) {
    // A server of its own: counting statements would cost the other scenarios theirs.
    const server = await startBenchServer({ server: bench.options.server, statements: true });
    const worker = startChild<WorkerApi>(workerFile);
    try {
      const contender = await loadContender(contenderName);
      const { url } = await server.createDatabase(contenderName, contender.install);
      await worker.call("startWorker", { contender: contenderName, settings: { ...settings, url }, stepMs: 0 });
      const { measured, skipped } = await takeTurns(bench, [
        { case: "idle", contender: contenderName, unit: "statements/s", measure: () => countStatements(bench, url) },
      ]);
      await worker.call("stopWorker", undefined);
      const worst = Math.max(...(measured[0]?.values ?? [Number.NaN]));
      const bars = [{ what: "worst, statements/s", value: worst, sense: "at most", bar: 2 }] as const;
      return { scenario: this.name, measured, skipped, bars };
    } finally {
      await worker.kill();
      await server.stop();
    }
  },
};

async function countStatements({ options }: Bench, url: string): Promise<number> {
  await forgetStatementCosts(url);
  const startedAt = now();
  // In a full run long enough for a heartbeat in every count.
  await delay(options.quick ? 12_000 : 40_000);
  const seconds = (now() - startedAt) / 1_000;
  const calls = await withClient(url, async (client) => {
    const { rows } = await client.query<{ calls: number }>(`
      select coalesce(sum(calls), 0)::integer as calls from pg_stat_statements
      where dbid = (select oid from pg_database where datname = current_database()) and query not like '%pg_stat_statements%'`);
    return rows[0]?.calls ?? Number.NaN;
  });
  return calls / seconds;
}
