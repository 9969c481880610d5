/**
 * A real worker in a process of its own, for tests that stop, continue and kill it. It runs the pipelines a fixture file
 * exports and tells the test what happens; SIGTERM ends it in the orderly way.
 */
import { openDatabase } from "../../src/db/database.ts";
import { openHints } from "../../src/db/hints.ts";
import { createEngine } from "../../src/jobs/engine.ts";
import type { EngineObserver } from "../../src/jobs/happenings.ts";
import { type AnyPipeline, Pipeline } from "../../src/jobs/pipeline.ts";
import { createLogger } from "../../src/logger.ts";
import { connectToTest } from "./inside-worker.ts";
import type { WorkerProcessOptions } from "./worker-process.ts";

const options: Required<WorkerProcessOptions> = JSON.parse(process.argv[2] ?? "{}");
const logger = createLogger({ level: "warn" });
const fixture: Record<string, unknown> = await import(options.pipelines);
const pipelines = Object.values(fixture)
  .filter((exported) => exported instanceof Pipeline)
  .filter(({ kind }) => options.kinds.length === 0 || options.kinds.includes(kind)) as AnyPipeline[];

const db = openDatabase({ url: options.url, logger, maxConnections: 4 });
const control = openDatabase({ url: options.url, logger, maxConnections: 2, applicationName: "worker control" });
const outside = openDatabase({ url: options.url, logger, maxConnections: options.slots });
const hints = openHints({ db: control, listenUrl: options.url, logger });
connectToTest(outside);

const observe: EngineObserver = (happening) => process.send?.({ happening });
const worker = await createEngine({ db, hints, logger, pipelines, observe }).startWorker({
  control,
  version: "test",
  slots: options.slots,
  leaseMs: options.leaseMs,
  heartbeatMs: options.heartbeatMs,
  pollMs: options.pollMs,
});
process.once("SIGTERM", () => void end());
// The test is gone; nobody is left to end this process.
process.once("disconnect", () => process.exit(1));
process.send?.({ ready: worker.id });

async function end(): Promise<void> {
  await worker.stop(options.graceMs);
  await hints.close();
  await Promise.all([db.close(), control.close()]);
  process.exit(0);
}
