/**
 * kill -9 one of two workers: how long until all its jobs run again. On the same host the other one sees that the
 * process is gone; on another host, played by a boot id that is not ours, the lease must run out. And one that is only
 * stopped, loses its lease and goes on: its jobs are done by then, and nothing it still writes may land.
 */
import { setTimeout as delay } from "node:timers/promises";
import { openDatabase } from "../../../src/db/database.ts";
import { createEffectTables } from "../../../test/support/effects.ts";
import { silentLogger as logger } from "../../../test/support/silent-logger.ts";
import { type Bench, type Entry, type Scenario, takeTurns } from "../../harness/bench.ts";
import { type Child, startChild } from "../../harness/child.ts";
import { now } from "../../harness/clock.ts";
import type { Bar } from "../../harness/result.ts";
import { withClient } from "../../harness/server.ts";
import { loadContender } from "../contenders.ts";
import { workerFile } from "../drain.ts";
import { takeFingerprints } from "../fingerprints.ts";
import type { WorkerApi } from "../worker-process.ts";

const contenderName = "docmill";
const workload = "one effect";
const jobs = 10;
const slackSeconds = 2;
const lookMs = 20;
/** The jobs of one that is killed never end by themselves; one that was stopped is done with them as soon as it goes on. */
const victimStepMs = { killed: 600_000, stopped: 2_000 } as const;
const otherStepMs = 1;
/** In which one that goes on has tried all it has to write. */
const zombieMs = 1_500;

interface Crash {
  how: keyof typeof victimStepMs;
  leaseMs: number;
  seenAsNeighbour: boolean;
}

/** What was wrong after all crashes. */
interface Wrongs {
  doubled: number;
  missing: number;
  /** Written to by one that came back. */
  tables: number;
}

export const crash: Scenario = {
  name: "crash",
  title: "kill -9 one of two workers: until all its jobs run again; and one that comes back",
  async run(bench) {
    const longLeaseMs = 120_000;
    const leaseMs = bench.options.quick ? 3_000 : 10_000;
    const crashes: [string, number, Crash][] = [
      ["same host", slackSeconds, { how: "killed", leaseMs: longLeaseMs, seenAsNeighbour: true }],
      [
        `another host, lease ${leaseMs / 1_000} s`,
        leaseMs / 1_000 + slackSeconds,
        { how: "killed", leaseMs, seenAsNeighbour: false },
      ],
      [
        `stopped and gone on, lease ${leaseMs / 1_000} s`,
        leaseMs / 1_000 + slackSeconds,
        { how: "stopped", leaseMs, seenAsNeighbour: true },
      ],
    ];
    const wrongs: Wrongs = { doubled: 0, missing: 0, tables: 0 };
    const entries = crashes.map(
      ([name, , one]): Entry => ({
        case: name,
        contender: contenderName,
        unit: "s",
        measure: () => crashOne(bench, one, wrongs),
      }),
    );
    const { measured, skipped } = await takeTurns(bench, entries);
    // A promise about every crash: the worst one counts, not the median.
    const worst = (name: string) => {
      const values = measured.find((entry) => entry.case === name)?.values;
      return values && Math.max(...values);
    };
    const counted = (count: number) => (skipped.length === 0 ? count : undefined);
    const bars: Bar[] = [
      ...crashes.map(
        ([name, bar]): Bar => ({ what: `${name}: worst, in s`, value: worst(name), sense: "at most", bar }),
      ),
      { what: "effects that are there twice", value: counted(wrongs.doubled), sense: "at most", bar: 0 },
      { what: "effects that are missing", value: counted(wrongs.missing), sense: "at most", bar: 0 },
      { what: "tables that one who came back has written to", value: counted(wrongs.tables), sense: "at most", bar: 0 },
    ];
    return { scenario: this.name, measured, skipped, bars };
  },
};

/** Answers the seconds from the crash to the start of the last of the victim's jobs at the other worker. */
async function crashOne(bench: Bench, { how, leaseMs, seenAsNeighbour }: Crash, wrongs: Wrongs): Promise<number> {
  const contender = await loadContender(contenderName);
  const database = await bench.server.createDatabase(`${contenderName}, effects`, async (url) => {
    await contender.install(url);
    const db = openDatabase({ url, logger });
    await createEffectTables(db);
    await db.close();
  });
  const { url } = database;
  const settings = { url, workload, concurrency: jobs, batching: false, leaseMs } as const;
  const victim = startChild<WorkerApi>(workerFile);
  const other = startChild<WorkerApi>(workerFile);
  try {
    const producer = await contender.openProducer(url, workload);
    await victim.call("startWorker", { contender: contenderName, settings, stepMs: victimStepMs[how] });
    await producer.addMany(Array.from({ length: jobs }, (_, n) => ({ n, group: 0 })));
    await withClient(url, async (client) => {
      const running = "select count(*)::integer as jobs from jobs where status = 'running'";
      while ((await client.query(running)).rows[0].jobs < jobs) await delay(lookMs);
      if (!seenAsNeighbour) await client.query("update workers set boot_id = 'another host'");
    });
    let crashedAt = now();
    if (how === "stopped") victim.stop();
    await other.call("startWorker", { contender: contenderName, settings, stepMs: otherStepMs });
    if (how === "killed") {
      // Anywhere between two heartbeats, two polls and two looks at the neighbours.
      await delay(Math.random() * Math.min(leaseMs / 4, 2_000));
      crashedAt = now();
      await victim.kill();
    }
    while ((await other.call("countSteps", undefined)) < jobs) await delay(lookMs);
    const { times } = await other.call("takeCounts", undefined);
    await producer.close();
    await other.call("stopWorker", undefined);
    if (how === "stopped") wrongs.tables += await countTablesWritten(url, victim);
    await countEffects(url, wrongs);
    return (Math.max(...times.map(({ startedAt }) => startedAt)) - crashedAt) / 1_000;
  } finally {
    await Promise.all([victim.kill(), other.kill()]);
    await database.drop();
  }
}

/** Lets a worker go on whose jobs others have done: in how many tables anything is different when it is through with them. */
async function countTablesWritten(url: string, victim: Child<WorkerApi>): Promise<number> {
  const before = await takeFingerprints(url);
  victim.goOn();
  while ((await victim.call("countSteps", undefined)) < jobs) await delay(lookMs);
  await delay(zombieMs);
  const after = await takeFingerprints(url);
  return [...after].filter(([table, print]) => before.get(table) !== print).length;
}

async function countEffects(url: string, wrongs: Wrongs): Promise<void> {
  await withClient(url, async (client) => {
    const { rows } = await client.query<{ doubled: number; missing: number }>(`
      select (count(*) filter (where e.times > 1))::integer as doubled, (count(*) filter (where e.times is null))::integer as missing
      from jobs j left join (select job_id, count(*) as times from effects group by job_id) e on e.job_id = j.id`);
    wrongs.doubled += rows[0]?.doubled ?? 0;
    wrongs.missing += rows[0]?.missing ?? 0;
  });
}
