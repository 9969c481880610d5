/** A server with a worker and samples of its own, in the test's process, on a database of its own; everything is local. */
import { join } from "node:path";
import { makeSamples } from "../../scripts/make-samples.ts";
import { readConfig } from "../../src/config.ts";
import type { Database } from "../../src/db/database.ts";
import { startHttpServer } from "../../src/http/server.ts";
import type { AnyPipeline } from "../../src/jobs/pipeline.ts";
import { openRuntime, type Runtime } from "../../src/runtime.ts";
import { silentLogger } from "./silent-logger.ts";
import { makeTemporaryFolder, removeTemporaryFolder } from "./temporary-folder.ts";
import { createTestDatabase } from "./test-database.ts";

export interface SamplePlace {
  readonly url: string;
  readonly db: Database;
  readonly runtime: Runtime;
  /** Where the samples are. */
  readonly samples: string;
  startWorker(): Promise<void>;
  close(): Promise<void>;
}

export async function openSamplePlace(pipelines: readonly object[] = []): Promise<SamplePlace> {
  await using opening = new AsyncDisposableStack();
  const database = await createTestDatabase();
  opening.defer(() => database.drop());
  const folder = await makeTemporaryFolder();
  opening.defer(() => removeTemporaryFolder(folder));
  const samples = join(folder, "samples");
  await makeSamples(samples);
  const environment = {
    DATABASE_URL: database.url,
    DOCMILL_DATA_DIR: join(folder, "data"),
    DOCMILL_THREADS: "1",
    DOCMILL_POLL_MS: "100",
  };
  const { settings } = readConfig({ environment });
  const runtime = await openRuntime({
    settings,
    pipelines: pipelines as readonly AnyPipeline[],
    logger: silentLogger,
    samplesFolder: samples,
  });
  opening.defer(() => runtime.close());
  const { engine, events, documents, heats, books, samples: started } = runtime;
  const services = { engine, events, documents, heats, books, samples: started };
  const http = await startHttpServer({ ...services, logger: silentLogger, host: "127.0.0.1", port: 0 });
  opening.defer(() => http.close());
  const opened = opening.move();
  return {
    url: http.url,
    db: database.db,
    runtime,
    samples,
    async startWorker() {
      const worker = await runtime.startWorker();
      opened.defer(() => worker.stop(5_000));
    },
    close: () => opened.disposeAsync(),
  };
}
