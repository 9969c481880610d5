/** An engine in the test's own process, on connections of its own, and workers on it that `close` stops. */
import type { Clock } from "../../src/db/clock.ts";
import { type Database, openDatabase, openPreparedDatabase } from "../../src/db/database.ts";
import { openHints } from "../../src/db/hints.ts";
import { createEngine, type Engine } from "../../src/jobs/engine.ts";
import type { AnyPipeline } from "../../src/jobs/pipeline.ts";
import type { Worker } from "../../src/jobs/worker.ts";
import { silentLogger } from "./silent-logger.ts";
import { createTestDatabase, type TestDatabase, type TestDatabaseOptions } from "./test-database.ts";

type StartOptions = Parameters<Engine["startWorker"]>[0];

export interface TestEngine extends Omit<Engine, "startWorker"> {
  startWorker(options?: Partial<StartOptions>): Promise<Worker>;
  /** Stops the workers that still run and closes the connections. */
  close(): Promise<void>;
}

export interface TestEngineOptions {
  url: string;
  /** Pipelines, whatever their inputs. */
  pipelines: readonly object[];
  clock?: Clock;
  /** Where to LISTEN; null to go by polling only. Left out: the same url. */
  listenUrl?: string | null;
}

export function openTestEngine({ url, pipelines, clock, listenUrl = url }: TestEngineOptions): TestEngine {
  const open = (maxConnections: number): Database => openDatabase({ url, logger: silentLogger, maxConnections });
  const [db, control] = [open(8), open(2)];
  const prepared = openPreparedDatabase({ url, logger: silentLogger });
  const hints = openHints({ db, listenUrl, logger: silentLogger });
  const engine = createEngine({
    db,
    prepared,
    hints,
    logger: silentLogger,
    pipelines: pipelines as AnyPipeline[],
    clock,
  });
  const running = new Set<Worker>();
  return {
    ...engine,
    async startWorker(options = {}) {
      const worker = await engine.startWorker({
        control,
        version: "test",
        slots: 4,
        leaseMs: 60_000,
        heartbeatMs: 5_000,
        pollMs: 25,
        ...options,
      });
      running.add(worker);
      const stop = worker.stop.bind(worker);
      // A getter's value would be frozen by a spread: the id changes when a lost worker registers anew.
      return Object.defineProperties({} as Worker, {
        id: { get: () => worker.id },
        holding: { get: () => worker.holding },
        stop: {
          value: async (graceMs: number) => {
            running.delete(worker);
            await stop(graceMs);
          },
        },
      });
    },
    async close() {
      await Promise.all([...running].map((worker) => worker.stop(5_000)));
      await hints.close();
      await Promise.all([db.close(), prepared.close(), control.close()]);
    },
  };
}

export interface EngineOnDatabase extends AsyncDisposable {
  database: TestDatabase;
  db: Database;
  engine: TestEngine;
}

/** A new database and an engine on it, both gone when the test lets go of them: `await using place = …`. */
export async function openEngineOnDatabase(
  pipelines: readonly AnyPipeline[],
  options: Omit<TestEngineOptions, "url" | "pipelines"> & TestDatabaseOptions = {},
): Promise<EngineOnDatabase> {
  const database = await createTestDatabase(options);
  const engine = openTestEngine({ url: database.url, pipelines, ...options });
  return {
    database,
    db: database.db,
    engine,
    async [Symbol.asyncDispose]() {
      await engine.close();
      await database.drop();
    },
  };
}
