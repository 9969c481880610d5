/** A process that runs one contender's worker or producer for the bench and counts what happens in it. */
import { setTimeout as delay } from "node:timers/promises";
import { offer } from "../harness/child.ts";
import { now } from "../harness/clock.ts";
import { type CpuTimes, startCpuProfile } from "../harness/cpu-profile.ts";
import type { BenchJob, Producer, WorkerSettings, Workload } from "./contender.ts";
import { loadContender } from "./contenders.ts";

export interface StartWorker {
  contender: string;
  settings: WorkerSettings;
  /** How long a step takes. */
  stepMs: number;
}

export interface JobTime {
  n: number;
  group: number;
  startedAt: number;
  endedAt: number;
}

let steps = 0;
const times: JobTime[] = [];
let stopProfile: (() => Promise<CpuTimes>) | undefined;
let stop: (() => Promise<void>) | undefined;
let producer: Producer | undefined;

function countStep(): void {
  steps++;
}

const api = {
  async startWorker({ contender, settings, stepMs }: StartWorker): Promise<void> {
    const { startWorker } = await loadContender(contender);
    stop = await startWorker(settings, stepMs > 0 ? timedStep : countStep);

    async function timedStep({ n, group }: BenchJob): Promise<void> {
      const startedAt = now();
      await delay(stepMs);
      times.push({ n, group, startedAt, endedAt: now() });
      countStep();
    }
  },
  stopWorker: async (): Promise<void> => stop?.(),
  /** How many steps were done since the last call, and when. */
  async takeCounts(): Promise<{ steps: number; times: JobTime[] }> {
    const taken = { steps, times: times.splice(0) };
    steps = 0;
    return taken;
  },
  async startProfile(): Promise<void> {
    stopProfile = await startCpuProfile();
  },
  async stopProfile(): Promise<CpuTimes> {
    if (!stopProfile) throw new Error("no profile was started");
    return stopProfile();
  },
  countSteps: async (): Promise<number> => steps,

  async openProducer({
    contender,
    url,
    workload,
  }: {
    contender: string;
    url: string;
    workload: Workload;
  }): Promise<void> {
    producer = await (await loadContender(contender)).openProducer(url, workload);
  },
  /** Adds jobs in calls of `size`, one call after the other; answers the milliseconds it took. */
  async addMany({ count, size }: { count: number; size: number }): Promise<number> {
    const startedAt = now();
    for (let from = 0; from < count; from += size) {
      await producer?.addMany(
        Array.from({ length: Math.min(size, count - from) }, (_, i) => ({ n: from + i, group: 0 })),
      );
    }
    return now() - startedAt;
  },
  /** Adds jobs one a call from so many callers at once; answers the milliseconds it took. */
  async addSingly({ count, callers }: { count: number; callers: number }): Promise<number> {
    const startedAt = now();
    let n = 0;
    const caller = async () => {
      while (n < count) await producer?.addOne({ n: n++, group: 0 });
    };
    await Promise.all(Array.from({ length: callers }, caller));
    return now() - startedAt;
  },
  closeProducer: async (): Promise<void> => producer?.close(),
};

export type WorkerApi = typeof api;

offer(api);
