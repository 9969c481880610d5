/** A worker process whose jobs emit events at a steady pace, whether or not the database keeps up. */
import { setTimeout as delay } from "node:timers/promises";
import { openDatabase } from "../../src/db/database.ts";
import { openHints } from "../../src/db/hints.ts";
import { createEngine } from "../../src/jobs/engine.ts";
import type { Worker } from "../../src/jobs/worker.ts";
import { silentLogger as logger } from "../../test/support/silent-logger.ts";
import { offer } from "../harness/child.ts";
import { now } from "../harness/clock.ts";
import { makeTicker } from "./ticker.ts";

export interface Pace {
  /** Of each job. */
  events: number;
  intervalMs: number;
}

let go: (pace: Pace) => void = () => undefined;
const started = new Promise<Pace>((resolve) => {
  go = resolve;
});
let stop: (() => Promise<void>) | undefined;

const api = {
  async startWorker({ url, slots }: { url: string; slots: number }): Promise<void> {
    const db = openDatabase({ url, logger });
    const control = openDatabase({ url, logger, maxConnections: 2 });
    const hints = openHints({ db, listenUrl: url, logger });
    const ticker = makeTicker(async (emit) => {
      const { events, intervalMs } = await started;
      const startedAt = now();
      const landing: Promise<void>[] = [];
      for (let sent = 0; sent < events; ) {
        const due = Math.min(events, Math.floor((now() - startedAt) / intervalMs));
        for (; sent < due; sent++) landing.push(emit({ sentAt: now() }));
        await delay(intervalMs);
      }
      await Promise.all(landing);
    });
    const engine = createEngine({ db, hints, logger, pipelines: [ticker] });
    const leaseMs = 120_000;
    const worker: Worker = await engine.startWorker({
      control,
      version: "bench",
      slots,
      leaseMs,
      heartbeatMs: leaseMs / 4,
      pollMs: 2_000,
    });
    stop = async () => {
      await worker.stop(1_000);
      await hints.close();
      await Promise.all([control.close(), db.close()]);
    };
  },
  /** Lets all jobs begin to emit. */
  async go(pace: Pace): Promise<void> {
    go(pace);
  },
  stopWorker: async (): Promise<void> => stop?.(),
};

export type EventWriterApi = typeof api;

offer(api);
