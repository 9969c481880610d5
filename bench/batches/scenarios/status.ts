/**
 * GET of a batch on one server process while five hundred readers follow batches there. The batches stand half done: some
 * sheets have results, others wait. Who asks is another process, over connections that stay open.
 */
import { setTimeout as delay } from "node:timers/promises";
import { printStatements } from "../../engine/profile.ts";
import { type Bench, type Scenario, show, takeTurns } from "../../harness/bench.ts";
import { type Child, startChild } from "../../harness/child.ts";
import { measureCpu } from "../../harness/process-tree.ts";
import { type Measured, median } from "../../harness/result.ts";
import { withClient } from "../../harness/server.ts";
import { forgetStatementCosts, readStatementCosts } from "../../harness/statement-costs.ts";
import { startBatches } from "../batch-client.ts";
import { makeBatches } from "../make-sheets.ts";
import { type Mill, openMill } from "../mill.ts";
import type { LoadReport, StatusLoadApi } from "../status-load-process.ts";

const readers = 500;
const batchCount = 50;
const sheetsPerBatch = 15;
const connections = 32;
const leastRate = 2_000;
const mostP99Ms = 50;
const lookMs = 10;
const loadFile = new URL("../status-load-process.ts", import.meta.url);

interface Run extends LoadReport {
  /** Of one processor, by the serving process. */
  share: number;
}

export const status: Scenario = {
  name: "status",
  title: `GET of a batch under ${readers} readers, ${connections} connections`,
  async run(bench) {
    await using mill = await openMill(bench);
    const batchIds = await prepareBatches(mill);
    const load = startChild<StatusLoadApi>(loadFile);
    try {
      const runs: Run[] = [];
      const { measured, skipped } = await takeTurns(bench, [
        {
          case: "answers",
          contender: "docmill",
          unit: "requests/s",
          async measure() {
            const run = await ask(bench, mill, load, batchIds);
            runs.push(run);
            return run.rate;
          },
        },
      ]);
      const following = await mill.readers.call("countOpen", undefined);
      const facts = { contender: "docmill", unit: "ms" };
      const figures: Measured[] = [
        ...measured,
        { ...facts, case: "p50", values: runs.map(({ p50Ms }) => p50Ms) },
        { ...facts, case: "p99", values: runs.map(({ p99Ms }) => p99Ms) },
        { ...facts, case: "server process", unit: "of a processor", values: runs.map(({ share }) => share) },
      ];
      return {
        scenario: this.name,
        measured: figures,
        skipped,
        bars: [
          { what: "requests/s", value: median(runs.map(({ rate }) => rate)), sense: "at least", bar: leastRate },
          { what: "p99, ms", value: median(runs.map(({ p99Ms }) => p99Ms)), sense: "at most", bar: mostP99Ms },
          {
            what: "wrong answers",
            value: runs.length === 0 ? undefined : runs.reduce((sum, { wrong }) => sum + wrong, 0),
            sense: "at most",
            bar: 0,
          },
          { what: "readers that still followed at the end", value: following, sense: "at least", bar: readers },
        ],
      };
    } finally {
      await load.kill();
    }
  },
  async profile(bench) {
    await using mill = await openMill(bench);
    const batchIds = await prepareBatches(mill);
    const load = startChild<StatusLoadApi>(loadFile);
    try {
      await forgetStatementCosts(mill.databaseUrl);
      const { rate, p99Ms, share } = await ask(bench, mill, load, batchIds);
      console.log(`${show(rate)} requests/s, p99 ${show(p99Ms)} ms; the server used ${show(share)} processors`);
      printStatements(await readStatementCosts(mill.databaseUrl));
    } finally {
      await load.kill();
    }
  },
};

async function ask(
  { options }: Bench,
  mill: Mill,
  load: Child<StatusLoadApi>,
  batchIds: readonly string[],
): Promise<Run> {
  const forMs = options.quick ? 4_000 : 10_000;
  const cpuBefore = await measureCpu(mill.pid);
  const report = await load.call("ask", { url: mill.url, batchIds, connections, forMs });
  const share = ((await measureCpu(mill.pid)) - cpuBefore) / (forMs / 1_000);
  return { ...report, share };
}

/** Batches that are half done, with their readers; answers their ids. */
async function prepareBatches(mill: Mill): Promise<string[]> {
  const ids = await startBatches(mill.url, makeBatches({ batches: batchCount, sheets: sheetsPerBatch, letters: 0 }));
  const workers = await mill.openWorkers(1);
  await withClient(mill.databaseUrl, async (client) => {
    await workers.start();
    const done = "select count(*)::integer as jobs from jobs where status = 'completed'";
    while ((await client.query(done)).rows[0].jobs < (batchCount * sheetsPerBatch) / 2) await delay(lookMs);
    await workers.stop();
    await client.query("checkpoint");
  });
  const wanted = Array.from({ length: readers }, (_, reader) => ({ batchId: ids[reader % ids.length] as string }));
  await mill.readers.call("openReaders", { url: mill.url, wanted });
  return ids;
}
