/** A server, worker processes, readers and a language model on one database: what batches are run on here. */
import { migrate } from "../../src/db/migrate.ts";
import { startCallMeter } from "../../test/support/call-meter.ts";
import { startFakeOpenAi } from "../../test/support/fake-openai.ts";
import { silentLogger as logger } from "../../test/support/silent-logger.ts";
import { makeTemporaryFolder, removeTemporaryFolder } from "../../test/support/temporary-folder.ts";
import type { Bench } from "../harness/bench.ts";
import { type Child, startChild } from "../harness/child.ts";
import { startDocmill } from "../harness/docmill-server.ts";
import { answerAsModel } from "./make-sheets.ts";
import type { StreamReaderApi } from "./stream-reader-process.ts";
import type { HeatWorkerApi } from "./worker-process.ts";

/** Settings by their names in the environment. */
type Environment = Record<string, string>;

/** Processes that wait until they are started, and then take jobs until they are stopped. */
export interface Workers {
  processes: readonly Child<HeatWorkerApi>[];
  start(): Promise<void>;
  stop(): Promise<void>;
}

export interface Mill extends AsyncDisposable {
  url: string;
  databaseUrl: string;
  /** The process that serves; it takes no jobs. */
  pid: number;
  readers: Child<StreamReaderApi>;
  openWorkers(processes: number, settings?: Environment): Promise<Workers>;
  /** The most calls of the model that were under way at once, so far. */
  mostCalls(): number;
}

const workerFile = new URL("worker-process.ts", import.meta.url);
const readerFile = new URL("stream-reader-process.ts", import.meta.url);

export async function openMill(bench: Bench, settings: Environment = {}): Promise<Mill> {
  await using opening = new AsyncDisposableStack();
  const database = await bench.server.createDatabase("heat sheets", async (url) => {
    await migrate({ url, logger });
  });
  opening.defer(() => database.drop());
  const folder = await makeTemporaryFolder();
  opening.defer(() => removeTemporaryFolder(folder));
  const model = await startFakeOpenAi({ answerChat: ({ text }) => answerAsModel(text) });
  opening.defer(() => model.close());
  const meter = await startCallMeter(model.url);
  opening.defer(() => meter.close());
  const environment = {
    DATABASE_URL: database.url,
    DOCMILL_DATA_DIR: folder,
    DOCMILL_MODEL: "made-up",
    DOCMILL_MODEL_URL: `${meter.url}/v1`,
    ...settings,
  };
  const server = await startDocmill({ args: ["--no-workers"], env: environment });
  opening.defer(() => server.stop());
  const readers = startChild<StreamReaderApi>(readerFile);
  opening.defer(() => readers.kill());
  const opened = opening.move();
  return {
    url: server.url,
    databaseUrl: database.url,
    pid: server.pid,
    readers,
    async openWorkers(count, more = {}) {
      const processes = Array.from({ length: count }, () => startChild<HeatWorkerApi>(workerFile));
      for (const child of processes) opened.defer(() => child.kill());
      const tell = async (order: "startWorker" | "stopWorker") => {
        await Promise.all(processes.map((child) => child.call(order, undefined)));
      };
      await Promise.all(processes.map((child) => child.call("open", { ...environment, ...more })));
      return { processes, start: () => tell("startWorker"), stop: () => tell("stopWorker") };
    },
    mostCalls: () => meter.most,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}
