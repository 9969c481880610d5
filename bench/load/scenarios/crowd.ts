/**
 * A crowd at one server: hundreds who upload without a pause and hundreds who watch, for a minute. Nobody gets an error of
 * the server's, nobody misses an event, and the server's memory stays where it was when the crowd had come.
 */
import { setTimeout as delay } from "node:timers/promises";
import type { Bench, Scenario } from "../../harness/bench.ts";
import { type Child, startChild } from "../../harness/child.ts";
import { startDocmill } from "../../harness/docmill-server.ts";
import { measureOwnMemory } from "../../harness/process-tree.ts";
import { type Bar, type Measured, median } from "../../harness/result.ts";
import type { LoadReaderApi, ReaderReport } from "../reader-process.ts";
import type { UploaderApi, UploadReport } from "../uploader-process.ts";

const people = 500;
const fullSeconds = 60;
const quickSeconds = 20;
/** What the last third of the time may take, held against the second: the first is for the crowd to come. */
const mostGrowth = 1.25;

interface CrowdReport {
  uploads: UploadReport;
  readers: ReaderReport;
  seconds: number;
  /** Of the server without PostgreSQL, in megabytes, a value a second. */
  memory: number[];
}

export const crowd: Scenario = {
  name: "crowd",
  title: `${people} who upload and ${people} who watch, at once`,
  async run(bench) {
    const database = await bench.server.createDatabase("crowd", async () => undefined);
    const places: [string, Record<string, string>][] = [
      ["embedded", {}],
      ["PostgreSQL", { DATABASE_URL: database.url }],
    ];
    const measured: Measured[] = [];
    const bars: Bar[] = [];
    for (const [place, env] of places) {
      const report = await gather(bench, env);
      measured.push(...describe(place, report));
      bars.push(...judgeCrowd(place, report));
      for (const problem of report.readers.problems.slice(0, 5)) bench.say(`  ${place}: ${problem}`);
    }
    await database.drop();
    return { scenario: this.name, measured, bars, skipped: [] };
  },
};

async function gather(bench: Bench, env: Record<string, string>): Promise<CrowdReport> {
  const seconds = bench.options.quick ? quickSeconds : fullSeconds;
  const server = await startDocmill({ env });
  const uploader: Child<UploaderApi> = startChild(new URL("../uploader-process.ts", import.meta.url));
  const reader: Child<LoadReaderApi> = startChild(new URL("../reader-process.ts", import.meta.url));
  try {
    const { url } = server;
    await reader.call("start", { url, people });
    await uploader.call("start", { url, people });
    const memory: number[] = [];
    for (let second = 1; second <= seconds; second++) {
      await delay(1_000);
      await reader.call("give", await uploader.call("takeIds", undefined as never));
      memory.push(await measureOwnMemory(server.pid));
      if (second % 10 === 0) {
        bench.say(
          `  ${second} s: ${await reader.call("countOpen", undefined as never)} watch, ${memory.at(-1)?.toFixed(0)} MB`,
        );
      }
    }
    const uploads = await uploader.call("finish", undefined as never);
    const readers = await reader.call("finish", undefined as never);
    return { uploads, readers, seconds, memory };
  } finally {
    await Promise.all([uploader.kill(), reader.kill()]);
    await server.stop();
  }
}

function describe(place: string, { uploads, readers, seconds, memory }: CrowdReport): Measured[] {
  const measure = (contender: string, unit: string, value: number): Measured => ({
    case: place,
    contender,
    unit,
    values: [value],
  });
  return [
    measure("uploads answered", "a second", (uploads.statuses[200] ?? 0) / seconds),
    measure("an answer, median", "ms", uploads.medianMs),
    measure("an answer, 99 %", "ms", uploads.p99Ms),
    measure("events read", "events", readers.events),
    measure("streams followed to their end", "streams", readers.followed),
    measure("memory at the end", "MB", memory.at(-1) ?? Number.NaN),
  ];
}

function judgeCrowd(place: string, { uploads, readers, memory }: CrowdReport): Bar[] {
  const count = (isMeant: (status: number) => boolean) =>
    Object.entries(uploads.statuses).reduce((sum, [status, times]) => sum + (isMeant(Number(status)) ? times : 0), 0);
  const third = Math.floor(memory.length / 3);
  return [
    { what: `${place}: answers 5xx`, value: count((status) => status >= 500), sense: "at most", bar: 0 },
    { what: `${place}: uploads without an answer`, value: count((status) => status === 0), sense: "at most", bar: 0 },
    { what: `${place}: lost events`, value: readers.problems.length, sense: "at most", bar: 0 },
    { what: `${place}: streams open at once`, value: readers.mostOpen, sense: "at least", bar: people },
    {
      what: `${place}: memory, last third ÷ second third`,
      value: median(memory.slice(-third)) / median(memory.slice(third, 2 * third)),
      sense: "at most",
      bar: mostGrowth,
    },
  ];
}
