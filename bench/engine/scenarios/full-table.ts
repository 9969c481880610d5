/**
 * No-op jobs from a table with a million waiting and a million finished, and from the same after an hour in which others
 * came and went: as fast as from a table with nothing else in it, and no claim reads more. The hour is played: jobs leave
 * their dead rows until autovacuum would come, it does, and so on; what the last of them left still lies there.
 */
import type pg from "pg";
import { type Bench, type Entry, type Scenario, takeTurns } from "../../harness/bench.ts";
import { type Bar, type Measured, median } from "../../harness/result.ts";
import { withClient } from "../../harness/server.ts";
import { countClaimBuffers } from "../claim-buffers.ts";
import { loadContender } from "../contenders.ts";
import * as statements from "../full-table-sql.ts";
import { measureRate } from "../measure-rate.ts";

const contenderName = "docmill";
const settings = { workload: "one step", concurrency: 10, batching: true } as const;
const cases = ["empty table", "full table", "full table after an hour"] as const;
type Case = (typeof cases)[number];

const warmUpJobs = 1_000;
/** Never run: so that the end of the queue is not part of what is measured. */
const spareJobs = 4_000;
const jobsASecond = 100;
const hourJobs = 3_600 * jobsASecond;
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
    for (const name of cases) await bench.server.prepareDatabase(...tableOf(bench, name));
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
  const database = await bench.server.createDatabase(...tableOf(bench, name));
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

/** Its name, and what makes it. */
function tableOf(bench: Bench, name: Case): [string, (url: string) => Promise<void>] {
  return [`${contenderName}, ${name}`, (url) => makeTable(bench, url, name)];
}

async function makeTable(bench: Bench, url: string, name: Case): Promise<void> {
  await (await loadContender(contenderName)).install(url);
  const many = bench.options.quick ? 100_000 : 1_000_000;
  const few = warmUpJobs + measuredJobs(bench) + spareJobs;
  await withClient(url, async (client) => {
    if (name !== "empty table") await client.query(statements.addFinished, [many]);
    await client.query(statements.addWaiting, [name === "empty table" ? few : many]);
    await client.query("vacuum analyze");
    if (name === "full table after an hour") await playHour(bench, client);
  });
}

async function playHour({ options, say }: Bench, client: pg.Client): Promise<void> {
  const diesASecond = jobsASecond * statements.deadRowsPerJob;
  const { rows } = await client.query<{ rows: number }>(statements.deadRowsMet, [diesASecond]);
  const between = Math.floor((rows[0]?.rows as number) / statements.deadRowsPerJob);
  const rounds = options.quick ? 1 : Math.ceil(hourJobs / between);
  say(`  ${rounds} times ${between} jobs come and go before the measurement`);
  for (let round = 0; round < rounds; round++) {
    if (round > 0) await client.query("vacuum analyze jobs, queue");
    for (const statement of statements.churn) await client.query(statement, [between, round * between]);
  }
}
