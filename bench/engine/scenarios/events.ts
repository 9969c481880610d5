/**
 * The event log under load: jobs in four processes append to a hundred streams at a set pace, and five hundred readers in
 * another process follow them. Each event must reach every reader of its stream, in order, once and soon.
 */
import { setTimeout as delay } from "node:timers/promises";
import { openDatabase } from "../../../src/db/database.ts";
import { openHints } from "../../../src/db/hints.ts";
import { createEngine } from "../../../src/jobs/engine.ts";
import { silentLogger as logger } from "../../../test/support/silent-logger.ts";
import { type Bench, type Scenario, takeTurns } from "../../harness/bench.ts";
import { startChild } from "../../harness/child.ts";
import { type Measured, median } from "../../harness/result.ts";
import { withClient } from "../../harness/server.ts";
import { loadContender } from "../contenders.ts";
import type { Delivered, EventReaderApi } from "../event-reader-process.ts";
import type { EventWriterApi } from "../event-writer-process.ts";
import { makeTicker, tick } from "../ticker.ts";

const contenderName = "docmill";
const processes = 4;
const streams = 100;
const readersPerStream = 5;
const wantedRate = 10_000;
/** A little more than wanted, so that the rate can be reached although the last events land after the end. */
const offeredRate = wantedRate * 1.05;
const lookMs = 20;
const patienceMs = 60_000;
const writerFile = new URL("../event-writer-process.ts", import.meta.url);
const readerFile = new URL("../event-reader-process.ts", import.meta.url);

interface Run extends Delivered {
  /** Appended a second, from the first to the last. */
  rate: number;
}

export const events: Scenario = {
  name: "events",
  title: `${processes} processes append to ${streams} streams, ${streams * readersPerStream} readers in another`,
  async run(bench) {
    const runs: Run[] = [];
    const facts = { case: "delivery p99", contender: contenderName, unit: "ms" };
    const { measured, skipped } = await takeTurns(bench, [
      {
        ...facts,
        async measure() {
          const run = await appendAndFollow(bench);
          runs.push(run);
          bench.say(`    p50 ${run.p50Ms.toFixed(0)} ms, ${run.rate.toFixed(0)} events/s, ${run.missed} missed`);
          return run.p99Ms;
        },
      },
    ]);
    const all: Measured[] = [
      ...measured,
      { ...facts, case: "delivery p50", values: runs.map(({ p50Ms }) => p50Ms) },
      { ...facts, case: "appended", unit: "events/s", values: runs.map(({ rate }) => rate) },
      { ...facts, case: "missed", unit: "events", values: runs.map(({ missed }) => missed) },
    ];
    const middle = (of: (run: Run) => number) => (runs.length === 0 ? undefined : median(runs.map(of)));
    const bars = [
      { what: "appended, events/s", value: middle(({ rate }) => rate), sense: "at least", bar: wantedRate },
      { what: "delivery p99, in ms", value: middle(({ p99Ms }) => p99Ms), sense: "at most", bar: 250 },
      {
        what: "missed in all rounds",
        value: runs.length === 0 ? undefined : runs.reduce((sum, { missed }) => sum + missed, 0),
        sense: "at most",
        bar: 0,
      },
    ] as const;
    return { scenario: this.name, measured: all, skipped, bars };
  },
};

async function appendAndFollow(bench: Bench): Promise<Run> {
  const contender = await loadContender(contenderName);
  const database = await bench.server.createDatabase(contenderName, contender.install);
  const { url } = database;
  const writers = Array.from({ length: processes }, () => startChild<EventWriterApi>(writerFile));
  const reader = startChild<EventReaderApi>(readerFile);
  const intervalMs = (streams / offeredRate) * 1_000;
  const ticks = Math.round((bench.options.quick ? 4_000 : 20_000) / intervalMs);
  try {
    const ids = await addJobs(url);
    await Promise.all(writers.map((writer) => writer.call("startWorker", { url, slots: streams / processes })));
    await reader.call("startReaders", { url, streams: ids, readersPerStream, ticks, patienceMs });
    return await withClient(url, async (client) => {
      const running = "select count(*)::integer as jobs from jobs where status = 'running'";
      while ((await client.query(running)).rows[0].jobs < streams) await delay(lookMs);
      await client.query("checkpoint");
      await Promise.all(writers.map((writer) => writer.call("go", { events: ticks, intervalMs })));
      const delivered = await reader.call("finish", undefined);
      const { rows } = await client.query<{ rate: number }>(
        `select (count(*) / extract(epoch from max(created_at) - min(created_at)))::float8 as rate
        from events where type = $1`,
        [tick],
      );
      await Promise.all(writers.map((writer) => writer.call("stopWorker", undefined)));
      return { ...delivered, rate: rows[0]?.rate ?? Number.NaN };
    });
  } finally {
    await Promise.all([...writers, reader].map((child) => child.kill()));
    await database.drop();
  }
}

/** A job a stream; answers their ids. */
async function addJobs(url: string): Promise<string[]> {
  const db = openDatabase({ url, logger });
  const hints = openHints({ db, listenUrl: null, logger });
  const ticker = makeTicker(async () => undefined);
  const engine = createEngine({ db, hints, logger, pipelines: [ticker] });
  const ids = await engine.enqueueMany(Array.from({ length: streams }, () => ticker.job({})));
  await hints.close();
  await db.close();
  return ids;
}
