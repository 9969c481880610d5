/**
 * How fast a contender's worker processes empty a full queue: they are up and warm, all jobs appear at one moment, and
 * the clock stops when the database says that none is left.
 */
import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";
import type { Bench } from "../harness/bench.ts";
import { type Child, startChild } from "../harness/child.ts";
import { now } from "../harness/clock.ts";
import type { CpuTimes } from "../harness/cpu-profile.ts";
import { withClient } from "../harness/server.ts";
import { type BenchJob, stepsOf, type WorkerSettings } from "./contender.ts";
import { loadContender } from "./contenders.ts";
import type { JobTime, WorkerApi } from "./worker-process.ts";

export interface DrainOptions {
  contender: string;
  settings: Omit<WorkerSettings, "url">;
  processes: number;
  jobs: readonly BenchJob[];
  /** How long a step takes; 0 for no time at all. */
  stepMs?: number;
  /** Run when the workers are warm and the jobs are written, before the clock starts. */
  beforeStart?: (url: string) => Promise<void>;
  /** Sample where the workers spend their time. */
  profile?: boolean;
  /** Run after the clock has stopped, while the database is still there. */
  inspect?: (url: string) => Promise<void>;
}

export interface Drained {
  ms: number;
  times: JobTime[];
  /** One for each process, if asked for. */
  profiles: CpuTimes[];
}

const warmUpJobs = 10_000;
const lookMs = 10;
const lookAtEndMs = 2;
export const workerFile = new URL("worker-process.ts", import.meta.url);

export async function drain(bench: Bench, options: DrainOptions): Promise<Drained> {
  const { settings, processes, jobs } = options;
  const contender = await loadContender(options.contender);
  const database = await bench.server.createDatabase(options.contender, contender.install);
  const { url } = database;
  const workers = Array.from({ length: processes }, () => startChild<WorkerApi>(workerFile));
  try {
    const producer = await contender.openProducer(url, settings.workload);
    await Promise.all(
      workers.map((worker) =>
        worker.call("startWorker", {
          contender: contender.name,
          settings: { ...settings, url },
          stepMs: options.stepMs ?? 0,
        }),
      ),
    );
    return await withClient(url, async (client) => {
      const steps = stepsOf[settings.workload];
      const finish = (count: number) => waitUntilDone(workers, client, contender.unfinished, count * steps);
      const warmUp = jobs.slice(0, Math.min(jobs.length, warmUpJobs * processes));
      await producer.addMany(warmUp);
      await finish(warmUp.length);
      await takeCounts(workers);
      // Before the jobs are written, not after: the first change of a page after a checkpoint logs the whole page.
      await client.query("checkpoint");
      let startedAt = 0;
      await producer.fill(jobs, async () => {
        await options.beforeStart?.(url);
        if (options.profile) await Promise.all(workers.map((worker) => worker.call("startProfile", undefined)));
        startedAt = now();
      });
      await finish(jobs.length);
      const ms = now() - startedAt;
      const { times } = await takeCounts(workers);
      const profiles = options.profile
        ? await Promise.all(workers.map((worker) => worker.call("stopProfile", undefined)))
        : [];
      await options.inspect?.(url);
      await producer.close();
      await Promise.all(workers.map((worker) => worker.call("stopWorker", undefined)));
      return { ms, times, profiles };
    });
  } finally {
    await Promise.all(workers.map((worker) => worker.kill()));
    await database.drop();
  }
}

async function waitUntilDone(
  workers: readonly Child<WorkerApi>[],
  client: pg.Client,
  unfinished: string,
  steps: number,
): Promise<void> {
  for (;;) {
    const counts = await Promise.all(workers.map((worker) => worker.call("countSteps", undefined)));
    if (counts.reduce((sum, count) => sum + count, 0) >= steps) break;
    await delay(lookMs);
  }
  while ((await client.query(unfinished)).rows[0].unfinished) await delay(lookAtEndMs);
}

async function takeCounts(workers: readonly Child<WorkerApi>[]): Promise<{ times: JobTime[] }> {
  const taken = await Promise.all(workers.map((worker) => worker.call("takeCounts", undefined)));
  return { times: taken.flatMap(({ times }) => times) };
}
