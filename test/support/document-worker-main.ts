/** The process that `prepareDocumentWorker` starts. */
import { EventEmitter, once } from "node:events";
import { readConfig } from "../../src/config.ts";
import { openDatabase } from "../../src/db/database.ts";
import { openHints } from "../../src/db/hints.ts";
import { createEngine } from "../../src/jobs/engine.ts";
import type { FaultPoint } from "../../src/jobs/fault-points.ts";
import type { MergedWrite } from "../../src/jobs/job-writer.ts";
import type { Worker } from "../../src/jobs/worker.ts";
import { createLogger } from "../../src/logger.ts";
import { openBooks } from "../../src/open-books.ts";
import { openDocuments } from "../../src/open-documents.ts";
import { openHeats } from "../../src/open-heats.ts";
import { createDocumentPipelines } from "../../src/pipelines/documents/pipeline.ts";
import type { DocumentWorkerOptions, Moment, Moments, WorkerMessage, WorkerOrder } from "./document-worker.ts";

const options = JSON.parse(process.argv[2] ?? "") as DocumentWorkerOptions;
const { settings } = readConfig({ environment: options.environment });
const logger = createLogger({ level: "info" });
const url = settings.databaseUrl as string;
const idleInTransactionMs = settings.leaseMs / 2;
const db = openDatabase({ url, logger, maxConnections: settings.dbConnections, idleInTransactionMs });
const control = openDatabase({ url, logger, maxConnections: 4, idleInTransactionMs });
const hints = openHints({ db, listenUrl: url, logger });
const { services } = await openDocuments(settings, db, logger);
const { embedder, limits } = services;
const { batchSize = embedder.batchSize, atOnce: pagesAtOnce = limits.pagesAtOnce } = options;
const documents = createDocumentPipelines({
  ...services,
  embedder: { ...embedder, batchSize },
  limits: { ...limits, pagesAtOnce },
});
const pipelines = [
  ...documents.all,
  ...openHeats(settings, services).pipelines.all,
  ...openBooks(settings, services).pipelines.all,
];

// Nobody is left to end this process when the test run itself was killed.
process.on("disconnect", () => process.exit(1));
const { leaseMs, heartbeatMs, pollMs, maxPaidCalls } = settings;
const engine = createEngine({ db, hints, logger, pipelines, maxPaidCalls });
const terms = { leaseMs, heartbeatMs, pollMs, slots: options.slots ?? settings.concurrency };
const goesOn = new EventEmitter();
let moments: Moments = {};
let worker: Worker | undefined;

process.on("message", (order: WorkerOrder) => {
  if (order === "go on") goesOn.emit("go on");
  else if (order === "rest") void rest();
  else void start(order.start);
});
tell("opened");

async function start(given: Moments): Promise<void> {
  moments = given;
  worker = await engine.startWorker({ control, version: "test", ...terms, faultPoint });
  tell("started");
}

async function rest(): Promise<void> {
  await worker?.stop(5_000);
  tell("rested");
}

function tell(message: WorkerMessage): void {
  process.send?.(message);
}

async function faultPoint(...[point, writes]: Parameters<FaultPoint>): Promise<void> {
  const { endAt, holdAt } = moments;
  if (endAt?.point === point && writes.some((write) => fits(endAt, write))) process.kill(process.pid, "SIGKILL");
  if (holdAt?.point !== point || !writes.some((write) => fits(holdAt, write))) return;
  moments.holdAt = undefined;
  const goOn = once(goesOn, "go on");
  tell("reached");
  await goOn;
}

function fits(moment: Moment, { handle, write, newJobs }: MergedWrite): boolean {
  const { jobId, stage, item, transition, createsJobs } = moment;
  if (jobId !== undefined && handle.jobId !== jobId) return false;
  if (transition !== undefined && write.change?.transition !== transition) return false;
  if (createsJobs !== undefined && newJobs.length > 0 !== createsJobs) return false;
  if (item === undefined) return stage === undefined || write.stage?.name === stage;
  return write.items?.some(({ key, stage: of }) => of === stage && (item === "any" || key === item)) ?? false;
}
