/** A process that does what `docmill worker` does, but begins and ends when the bench says so, and can be profiled. */
import { readConfig } from "../../src/config.ts";
import type { Worker } from "../../src/jobs/worker.ts";
import { openRuntime, type Runtime } from "../../src/runtime.ts";
import { silentLogger as logger } from "../../test/support/silent-logger.ts";
import { offer } from "../harness/child.ts";
import { type CpuTimes, startCpuProfile } from "../harness/cpu-profile.ts";

let runtime: Runtime | undefined;
let worker: Worker | undefined;
let stopProfile: (() => Promise<CpuTimes>) | undefined;

const api = {
  async open(environment: Record<string, string>): Promise<void> {
    const { settings } = readConfig({ environment });
    runtime = await openRuntime({ settings, pipelines: [], logger });
  },
  async startWorker(): Promise<void> {
    worker = await runtime?.startWorker();
  },
  stopWorker: async (): Promise<void> => worker?.stop(10_000),
  async startProfile(): Promise<void> {
    stopProfile = await startCpuProfile();
  },
  async stopProfile(): Promise<CpuTimes> {
    if (!stopProfile) throw new Error("no profile was started");
    return stopProfile();
  },
  close: async (): Promise<void> => runtime?.close(),
};

export type HeatWorkerApi = typeof api;

offer(api);
