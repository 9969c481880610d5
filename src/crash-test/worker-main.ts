/**
 * A worker process of the crash test: a real worker with the crash test's pipelines and short leases. On word from its
 * parent it kills or stops itself at the next named place inside the engine, where no outsider would hit by chance.
 */
import { setTimeout as delay } from "node:timers/promises";
import { isConnectionError, openDatabase } from "../db/database.ts";
import { openHints } from "../db/hints.ts";
import { createEngine } from "../jobs/engine.ts";
import type { FaultPoint } from "../jobs/fault-points.ts";
import type { Worker } from "../jobs/worker.ts";
import { createLogger } from "../logger.ts";
import { crashPipelines } from "./pipelines.ts";
import type { Fault, WorkerMessage, WorkerTerms } from "./worker-process.ts";

const terms: WorkerTerms = JSON.parse(process.argv[2] ?? "{}");
const logger = createLogger({ level: "info" });
const idleInTransactionMs = terms.leaseMs / 2;
const db = openDatabase({ url: terms.url, logger, maxConnections: 5, idleInTransactionMs });
const control = openDatabase({ url: terms.url, logger, maxConnections: 4, idleInTransactionMs });
const outside = openDatabase({ url: terms.url, logger, maxConnections: 2 });
const hints = openHints({ db: control, listenUrl: terms.url, logger });
const engine = createEngine({ db, hints, logger, pipelines: crashPipelines(outside) });

let fault: Fault | undefined;
process.on("message", (message: { fault?: Fault }) => {
  fault = message.fault;
});
// Without its parent nobody would ever end it.
process.once("disconnect", () => process.exit(1));

const faultPoint: FaultPoint = (name) => {
  if (name !== fault?.point) return;
  const faulted = fault;
  fault = undefined;
  tell({ faulted });
  process.kill(process.pid, faulted.end === "kill" ? "SIGKILL" : "SIGSTOP");
};

let worker: Worker | undefined;
process.once("SIGTERM", () => void end());
worker = await start();
tell({ ready: worker.id });

async function start(): Promise<Worker> {
  for (;;) {
    try {
      return await engine.startWorker({
        control,
        version: "crash-test",
        slots: terms.slots,
        leaseMs: terms.leaseMs,
        heartbeatMs: terms.heartbeatMs,
        pollMs: terms.pollMs,
        faultPoint,
        fencing: terms.fencing,
      });
    } catch (error) {
      if (!isConnectionError(error)) throw error;
      await delay(100);
    }
  }
}

async function end(): Promise<void> {
  await worker?.stop(terms.graceMs);
  await hints.close();
  await Promise.all([db.close(), control.close(), outside.close()]);
  process.exit(0);
}

function tell(message: WorkerMessage): void {
  process.send?.(message);
}
