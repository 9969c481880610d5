/**
 * No-op jobs from a table with a million waiting and a million finished, and from the same after many more have come and
 * gone and left their dead rows: as fast as from a table with nothing else in it, and no claim reads more.
 */
import { type Bench, type Entry, type Scenario, takeTurns } from "../../harness/bench.ts";
import { type Bar, type Measured, median } from "../../harness/result.ts";
import { withClient } from "../../harness/server.ts";
import { countClaimBuffers } from "../claim-buffers.ts";
import { loadContender } from "../contenders.ts";
import * as statements from "../full-table-sql.ts";
import { measureRate } from "../measure-rate.ts";

const contenderName = "docmill";
const settings = { workload: "one step", concurrency: 10, batching: true } as const;
const cases = ["empty table", "full table", "full table after churn"] as const;
type Case = (typeof cases)[number];

const warmUpJobs = 1_000;
/** Never run: so that the end of the queue is not part of what is measured. */
const spareJobs = 4_000;
/** Just short of what autovacuum clears away: the worst it lets a claim meet. */
const churnShare = 0.9;
/** An index of a million entries is three levels deep where one of thousands is two. That is all that may grow. */
const mostGrowth = 1.5;
const leastRate = 0.9;

export const fullTable: Scenario = {
  name: "full-table",
  title: "no-op jobs from a full table, and after churn",
  async run(bench) {
    const buffers = new Map<Case, number[]>(cases.map((name) => [name, []]));
    const entries = cases.map(
      (name): Entry => ({
        case: name,
        contender: contenderName,
        unit: "jobs/s",
        async measure() {
          const measured = await measureCase(bench, name);
          buffers.get(name)?.push(measured.buffers);
          return measured.rate;
        },
      }),
    );
    const { measured, skipped } = await takeTurns(bench, entries);
    const touched = [...buffers].map(
      ([name, values]): Measured => ({ case: name, contender: contenderName, unit: "buffers/claim", values }),
    );
    const [empty, ...others] = cases;
    const bars = others.flatMap((name): Bar[] => [
      { what: `${name} ÷ ${empty}, rate`, value: ratio(measured, name, empty), sense: "at least", bar: leastRate },
      { what: `${name} ÷ ${empty}, buffers`, value: ratio(touched, name, empty), sense: "at most", bar: mostGrowth },
    ]);
    return { scenario: this.name, measured: [...measured, ...touched], skipped, bars };
  },
};

function ratio(measured: readonly Measured[], one: Case, other: Case): number | undefined {
  const [above, below] = [one, other].map((name) => measured.find((entry) => entry.case === name)?.values);
  return above && below && median(above) / median(below);
}

function measuredJobs({ options }: Bench): number {
  return options.quick ? 5_000 : 20_000;
}

async function measureCase(bench: Bench, name: Case): Promise<{ rate: number; buffers: number }> {
  // Dead rows are copied with the rest, and what is known of them for autovacuum is not: none comes in between.
  const database = await bench.server.createDatabase(`${contenderName}, ${name}`, (url) => makeTable(bench, url, name));
  try {
    const buffers = await withClient(database.url, async (client) => {
      // The first one to come by marks what is dead; the second one is what all others find.
      await countClaimBuffers(client);
      const counted = await countClaimBuffers(client);
      await client.query("checkpoint");
      return counted;
    });
    const rate = await measureRate({
      contender: contenderName,
      settings: { ...settings, url: database.url },
      warmUpJobs,
      jobs: measuredJobs(bench),
    });
    return { rate, buffers };
  } finally {
    await database.drop();
  }
}

async function makeTable(bench: Bench, url: string, name: Case): Promise<void> {
  await (await loadContender(contenderName)).install(url);
  const many = bench.options.quick ? 100_000 : 1_000_000;
  const few = warmUpJobs + measuredJobs(bench) + spareJobs;
  await withClient(url, async (client) => {
    if (name !== "empty table") await client.query(statements.addFinished, [many]);
    await client.query(statements.addWaiting, [name === "empty table" ? few : many]);
    await client.query("vacuum analyze");
    if (name !== "full table after churn") return;
    const { rows } = await client.query<{ rows: number }>(statements.deadRowsAllowed);
    const churned = Math.floor(((rows[0]?.rows ?? 0) * churnShare) / statements.deadRowsPerJob);
    bench.say(`  ${churned} jobs come and go before the measurement`);
    for (const statement of statements.churn) await client.query(statement, [churned]);
  });
}
