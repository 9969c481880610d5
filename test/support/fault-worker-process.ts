/** The process that `startFaultWorker` starts: one worker on the pipelines of a fixture. */
import { EventEmitter } from "node:events";
import { openDatabase } from "../../src/db/database.ts";
import { openHints } from "../../src/db/hints.ts";
import { createEngine } from "../../src/jobs/engine.ts";
import type { FaultPoint } from "../../src/jobs/fault-points.ts";
import type { AnyPipeline } from "../../src/jobs/pipeline.ts";
import type { Fault, FaultWorkerOptions, Message } from "./fault-worker.ts";
import type { Surroundings } from "./fixture-surroundings.ts";
import { silentLogger } from "./silent-logger.ts";

const { url, fixture, listenUrl = url, fault, ...running } = JSON.parse(process.argv[2] ?? "") as FaultWorkerOptions;
const db = openDatabase({ url, logger: silentLogger, maxConnections: 8 });
const control = openDatabase({ url, logger: silentLogger, maxConnections: 2 });
const hints = openHints({ db, listenUrl, logger: silentLogger });
const said = new EventEmitter();
const tell = (message: Message) => void process.send?.(message);

const { createPipelines } = (await import(`../fixtures/${fixture}`)) as {
  createPipelines: (surroundings: Surroundings) => Record<string, AnyPipeline>;
};
const pipelines = createPipelines({ db, tell, onceSaid: (type) => new Promise((resolve) => said.once(type, resolve)) });
const engine = createEngine({ db, hints, logger: silentLogger, pipelines: Object.values(pipelines) });
const worker = await engine.startWorker({
  control,
  version: "test",
  slots: 4,
  leaseMs: 60_000,
  heartbeatMs: 5_000,
  pollMs: 50,
  ...running,
  faultPoint: fault ? endSelfAt(fault) : undefined,
});

process.on("message", (message: Message) => {
  if (message.type === "stop") void stop();
  else said.emit(message.type, message);
});
// Nobody is left to end this process when the test run itself was killed.
process.on("disconnect", () => process.exit(1));
tell({ type: "ready", workerId: worker.id });

async function stop(): Promise<void> {
  await worker.stop(5_000);
  await hints.close();
  await Promise.all([db.close(), control.close()]);
  process.exit(0);
}

function endSelfAt({ point, jobId, stage, item, transition }: Fault): FaultPoint {
  return (name, writes) => {
    if (name !== point) return;
    const hit = writes.some(
      ({ handle, write }) =>
        (jobId === undefined || handle.jobId === jobId) &&
        (item === undefined
          ? stage === undefined || write.stage?.name === stage
          : write.items?.some((written) => written.key === item && written.stage === stage)) &&
        (transition === undefined || write.change?.transition === transition),
    );
    if (hit) process.kill(process.pid, "SIGKILL");
  };
}
