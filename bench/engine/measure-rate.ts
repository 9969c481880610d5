/** Jobs a second of one process while it works through a queue that does not end, between two moments in the middle. */
import { setTimeout as delay } from "node:timers/promises";
import { startChild } from "../harness/child.ts";
import { now } from "../harness/clock.ts";
import type { WorkerSettings } from "./contender.ts";
import { workerFile } from "./drain.ts";
import type { WorkerApi } from "./worker-process.ts";

export interface RateOptions {
  contender: string;
  settings: WorkerSettings;
  /** Done before the first moment. */
  warmUpJobs: number;
  /** Done between the two. */
  jobs: number;
}

const lookMs = 10;

export async function measureRate({ contender, settings, warmUpJobs, jobs }: RateOptions): Promise<number> {
  const worker = startChild<WorkerApi>(workerFile);
  const reach = async (steps: number) => {
    for (;;) {
      const done = await worker.call("countSteps", undefined);
      if (done >= steps) return { done, at: now() };
      await delay(lookMs);
    }
  };
  try {
    await worker.call("startWorker", { contender, settings, stepMs: 0 });
    const from = await reach(warmUpJobs);
    const to = await reach(warmUpJobs + jobs);
    return ((to.done - from.done) / (to.at - from.at)) * 1_000;
  } finally {
    await worker.kill();
  }
}
