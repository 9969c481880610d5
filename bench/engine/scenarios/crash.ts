/**
 * kill -9 one of two workers: how long until all its jobs run again. On the same host the other one sees that the
 * process is gone; on another host, played by a boot id that is not ours, the lease must run out.
 */
import { setTimeout as delay } from "node:timers/promises";
import { type Bench, type Scenario, takeTurns } from "../../harness/bench.ts";
import { startChild } from "../../harness/child.ts";
import { now } from "../../harness/clock.ts";
import { withClient } from "../../harness/server.ts";
import { loadContender } from "../contenders.ts";
import { workerFile } from "../drain.ts";
import type { WorkerApi } from "../worker-process.ts";

const contenderName = "docmill";
const jobs = 10;
const slackSeconds = 2;
const lookMs = 20;
/** The victim's jobs never end by themselves, the other one's at once. */
const victimStepMs = 600_000;
const otherStepMs = 1;

export const crash: Scenario = {
  name: "crash",
  title: "kill -9 one of two workers: until all its jobs run again",
  async run(bench) {
    const longLeaseMs = 120_000;
    const leaseMs = bench.options.quick ? 3_000 : 10_000;
    const sameHost = "same host";
    const otherHost = `another host, lease ${leaseMs / 1_000} s`;
    const facts = { contender: contenderName, unit: "s" };
    const { measured, skipped } = await takeTurns(bench, [
      { ...facts, case: sameHost, measure: () => killOne(bench, longLeaseMs, true) },
      { ...facts, case: otherHost, measure: () => killOne(bench, leaseMs, false) },
    ]);
    // A promise about every crash: the worst one counts, not the median.
    const worst = (name: string) => {
      const values = measured.find((entry) => entry.case === name)?.values;
      return values && Math.max(...values);
    };
    const bars = [
      { what: `${sameHost}: worst, in s`, value: worst(sameHost), sense: "at most", bar: slackSeconds },
      {
        what: `${otherHost}: worst, in s`,
        value: worst(otherHost),
        sense: "at most",
        bar: leaseMs / 1_000 + slackSeconds,
      },
    ] as const;
    return { scenario: this.name, measured, skipped, bars };
  },
};

/** Answers the seconds from the kill to the start of the last of the victim's jobs at the other worker. */
async function killOne(bench: Bench, leaseMs: number, seenAsNeighbour: boolean): Promise<number> {
  const contender = await loadContender(contenderName);
  const database = await bench.server.createDatabase(contenderName, contender.install);
  const { url } = database;
  const settings = { url, workload: "one step", concurrency: jobs, batching: false, leaseMs } as const;
  const victim = startChild<WorkerApi>(workerFile);
  const other = startChild<WorkerApi>(workerFile);
  try {
    const producer = await contender.openProducer(url, "one step");
    await victim.call("startWorker", { contender: contenderName, settings, stepMs: victimStepMs });
    await producer.addMany(Array.from({ length: jobs }, (_, n) => ({ n, group: 0 })));
    await withClient(url, async (client) => {
      const running = "select count(*)::integer as jobs from jobs where status = 'running'";
      while ((await client.query(running)).rows[0].jobs < jobs) await delay(lookMs);
      if (!seenAsNeighbour) await client.query("update workers set boot_id = 'another host'");
    });
    await other.call("startWorker", { contender: contenderName, settings, stepMs: otherStepMs });
    // Anywhere between two heartbeats, two polls and two looks at the neighbours.
    await delay(Math.random() * Math.min(leaseMs / 4, 2_000));
    const killedAt = now();
    await victim.kill();
    while ((await other.call("countSteps", undefined)) < jobs) await delay(lookMs);
    const { times } = await other.call("takeCounts", undefined);
    await producer.close();
    await other.call("stopWorker", undefined);
    return (Math.max(...times.map(({ startedAt }) => startedAt)) - killedAt) / 1_000;
  } finally {
    await Promise.all([victim.kill(), other.kill()]);
    await database.drop();
  }
}
