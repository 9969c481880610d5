/**
 * Readers over HTTP on one server process, up to a thousand, of one stream and of a stream each. One read of the database
 * serves all who wait, so what an event costs falls with the readers that get it; each is a connection and no more.
 */
import { setTimeout as delay } from "node:timers/promises";
import { loadContender } from "../../engine/contenders.ts";
import { type Scenario, takeTurns } from "../../harness/bench.ts";
import { type Child, startChild } from "../../harness/child.ts";
import { now } from "../../harness/clock.ts";
import { type DocmillServer, startDocmill } from "../../harness/docmill-server.ts";
import { measureCpu, measureOwnMemory } from "../../harness/process-tree.ts";
import { type Bar, quantile } from "../../harness/result.ts";
import { type Emitter, openEmitters } from "../emitters.ts";
import { chooseSizes, flat, type Growth, recordGrowth, showSize } from "../growth.ts";
import type { SseReaderApi } from "../sse-reader-process.ts";

const sizes = [1, 10, 100, 1_000];
/** What each reader gets: as many a second whatever the number of readers, so that the load grows with them. */
const eventsPerSecond = 2;
const listeningSeconds = 3;
const mostP99Ms = 250;
/** A connection of Node's own takes 20; the rest is what its request and the first answer left behind. */
const mostKilobytes = 150;
const settleMs = 500;
const readerFile = new URL("../sse-reader-process.ts", import.meta.url);

const figures = {
  sharedP50: { name: "one stream, p50", unit: "ms" },
  sharedP99: { name: "one stream, p99", unit: "ms" },
  sharedCpu: { name: "one stream, server CPU an event", unit: "ms", mayGrow: flat(1) },
  ownP50: { name: "a stream each, p50", unit: "ms" },
  ownP99: { name: "a stream each, p99", unit: "ms" },
  ownCpu: { name: "a stream each, server CPU an event", unit: "ms", mayGrow: flat(1) },
  memory: { name: "server memory", unit: "MB" },
};
type FigureName = keyof typeof figures;

/** Readers in a process of their own, of a server. */
interface Place {
  server: DocmillServer;
  readers: Child<SseReaderApi>;
  growth: Growth<FigureName>;
}

export const readers: Scenario = {
  name: "readers",
  title: "up to a thousand readers of one stream, and of a stream each",
  async run(bench) {
    const chosen = chooseSizes(bench, sizes);
    const growth = recordGrowth("readers", chosen, figures);
    await using opened = new AsyncDisposableStack();
    const database = await bench.server.createDatabase("docmill", (await loadContender("docmill")).install);
    opened.defer(() => database.drop());
    const { all } = opened.use(await openEmitters(database.url, chosen.at(-1) as number));
    const process = startChild<SseReaderApi>(readerFile);
    opened.defer(() => process.kill());
    const serve = () => startDocmill({ args: ["--no-workers"], env: { DATABASE_URL: database.url } });
    // Each time a new server: memory that a process has once taken for connections it keeps for the next ones.
    for (const size of chosen) growth.add(size, "memory", await weigh(await serve(), process, all.slice(0, size)));
    const server = await serve();
    opened.defer(() => server.stop());
    const place = { server, readers: process, growth };
    const entries = chosen.flatMap((size) => {
      const some = all.slice(0, size);
      const [one] = all as [Emitter];
      return [
        growth.entryAt(size, "sharedP99", () => measure(place, "shared", Array<Emitter>(size).fill(one), [one])),
        growth.entryAt(size, "ownP99", () => measure(place, "own", some, some)),
      ];
    });
    const { skipped } = await takeTurns(bench, entries);
    return growth.describe({ scenario: this.name, skipped, bars: makeBars(growth, chosen) });
  },
};

function makeBars(growth: Growth<FigureName>, chosen: readonly number[]): Bar[] {
  const [least, most] = [chosen[0] as number, chosen.at(-1) as number];
  const weight = ((growth.median(most, "memory") as number) - (growth.median(least, "memory") as number)) * 1_024;
  const readersThen = `${showSize(most)} readers`;
  return [
    {
      what: `one stream, ${readersThen}: p99, ms`,
      value: growth.median(most, "sharedP99"),
      sense: "at most",
      bar: mostP99Ms,
    },
    {
      what: `a stream each, ${readersThen}: p99, ms`,
      value: growth.median(most, "ownP99"),
      sense: "at most",
      bar: mostP99Ms,
    },
    { what: "memory a reader, kB", value: weight / (most - least), sense: "at most", bar: mostKilobytes },
  ];
}

/** Megabytes of a server with a reader of each stream. Ends the server. */
async function weigh(
  server: DocmillServer,
  readersOf: Child<SseReaderApi>,
  emitters: readonly Emitter[],
): Promise<number> {
  try {
    await openReaders(readersOf, server, emitters);
    return await measureOwnMemory(server.pid);
  } finally {
    await readersOf.call("closeReaders", undefined);
    await server.stop();
  }
}

async function openReaders(
  readersOf: Child<SseReaderApi>,
  { url }: DocmillServer,
  emitters: readonly Emitter[],
): Promise<void> {
  await readersOf.call("openReaders", { url, streamIds: emitters.map(({ streamId }) => streamId) });
  await delay(settleMs);
}

/** Answers the p99; adds everything else. */
async function measure(
  place: Place,
  whose: "shared" | "own",
  read: readonly Emitter[],
  emitting: readonly Emitter[],
): Promise<number> {
  const { delays, cpuSeconds } = await listen(place, read, emitting);
  place.growth.add(read.length, `${whose}P50`, quantile(delays, 0.5));
  place.growth.add(read.length, `${whose}Cpu`, (cpuSeconds * 1_000) / delays.length);
  return quantile(delays, 0.99);
}

/** A reader of each of `read` while those of `emitting` emit for some seconds. All gets to everyone, or it fails. */
async function listen(
  { server, readers: process }: Place,
  read: readonly Emitter[],
  emitting: readonly Emitter[],
): Promise<{ delays: number[]; cpuSeconds: number }> {
  const events = listeningSeconds * eventsPerSecond;
  await openReaders(process, server, read);
  try {
    const cpuBefore = await measureCpu(server.pid);
    await emitSteadily(emitting, events);
    await delay(settleMs);
    const cpuSeconds = (await measureCpu(server.pid)) - cpuBefore;
    const delays = await process.call("takeDelays", undefined);
    if (delays.length !== events * read.length) {
      throw new Error(`${delays.length} of ${events * read.length} events came within ${settleMs} ms of the last`);
    }
    return { delays, cpuSeconds };
  } finally {
    await process.call("closeReaders", undefined);
    await process.call("takeDelays", undefined);
  }
}

/** Each at the same pace, one after the other, not all at once. */
async function emitSteadily(emitters: readonly Emitter[], eventsOfEach: number): Promise<void> {
  const all = emitters.length * eventsOfEach;
  const everyMs = 1_000 / (eventsPerSecond * emitters.length);
  const startedAt = now();
  const landing: Promise<void>[] = [];
  while (landing.length < all) {
    const due = Math.min(all, 1 + Math.floor((now() - startedAt) / everyMs));
    while (landing.length < due) {
      const emitter = emitters[landing.length % emitters.length] as Emitter;
      landing.push(emitter.emit({ sentAt: now() }));
    }
    await delay(Math.max(1, everyMs / 2));
  }
  await Promise.all(landing);
}
