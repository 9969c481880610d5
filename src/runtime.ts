/**
 * Opens what a process needs, in order: database, schema, connections, hints, documents, engine, events; closes it in
 * reverse.
 * If a step fails, what the steps before it opened is closed again before the error goes on.
 *
 * Once open, a runtime outlives its database: every part tries again until the database is back.
 */
import { resolve } from "node:path";
import { maskPassword, type Settings } from "./config.ts";
import { type Database, openDatabase } from "./db/database.ts";
import { startEmbeddedPostgres } from "./db/embedded/start-embedded-postgres.ts";
import { type Hints, openHints } from "./db/hints.ts";
import { migrate } from "./db/migrate.ts";
import { createEventHub, type EventHub } from "./events/event-hub.ts";
import { createEngine, type Engine } from "./jobs/engine.ts";
import type { AnyPipeline } from "./jobs/pipeline.ts";
import type { Worker } from "./jobs/worker.ts";
import type { Logger } from "./logger.ts";
import { openDocuments } from "./open-documents.ts";
import { createDocumentActions } from "./pipelines/documents/change-documents.ts";
import type { Documents } from "./pipelines/documents/documents.ts";
import { reachDatabase } from "./reach-database.ts";
import { version } from "./version.ts";

export interface RuntimeOptions {
  settings: Settings;
  /** The user's own; those of documents are there by themselves. */
  pipelines: readonly AnyPipeline[];
  logger: Logger;
  /** Gives up opening. */
  signal?: AbortSignal;
}

export interface DatabaseFacts {
  kind: "embedded" | "server";
  version: string;
  /** The folder of the embedded one, the url without its password of any other. */
  place: string;
  /** The embedded server was left running by a process that was killed. */
  adopted: boolean;
}

export interface Runtime {
  readonly database: DatabaseFacts;
  readonly db: Database;
  readonly hints: Hints;
  readonly engine: Engine;
  readonly events: EventHub;
  readonly documents: Documents;
  /** Starts to run jobs here. Whoever starts a worker stops it before closing. */
  startWorker(): Promise<Worker>;
  close(): Promise<void>;
}

/** Heartbeats, watching, looking around and rescuing may come together; none waits for another, or for a job's. */
const controlConnections = 4;

export async function openRuntime({ settings, pipelines, logger, signal }: RuntimeOptions): Promise<Runtime> {
  await using opening = new AsyncDisposableStack();
  const { url, listenUrl, ...database } =
    settings.databaseUrl === undefined
      ? await startDatabase(opening, settings, logger, signal)
      : await useDatabase(settings, settings.databaseUrl, logger, signal);
  await migrate({ url: listenUrl, logger });
  signal?.throwIfAborted();

  const idleInTransactionMs = settings.leaseMs / 2;
  const control = openDatabase({
    url,
    logger,
    maxConnections: controlConnections,
    applicationName: "docmill control",
    idleInTransactionMs,
  });
  opening.defer(() => control.close());
  const db = openDatabase({ url, logger, maxConnections: settings.dbConnections, idleInTransactionMs });
  opening.defer(() => db.close());
  const hints = openHints({ db, listenUrl, logger });
  opening.defer(() => hints.close());
  const { close: closeDocuments, services, pipelines: documentPipelines } = await openDocuments(settings, db, logger);
  opening.defer(closeDocuments);
  const engine = createEngine({ db, hints, logger, pipelines: [...documentPipelines.all, ...pipelines] });
  const actions = createDocumentActions({ engine, services, pipelines: documentPipelines });
  const events = createEventHub({ db, hints, logger, pollMs: settings.pollMs });
  opening.defer(() => events.close());

  const opened = opening.move();
  return {
    database,
    db,
    hints,
    engine,
    events,
    documents: { services, pipelines: documentPipelines, actions },
    startWorker() {
      const { concurrency: slots, leaseMs, heartbeatMs, pollMs, maxPaidCalls } = settings;
      return engine.startWorker({ control, version, slots, leaseMs, heartbeatMs, pollMs, maxPaidCalls });
    },
    close: () => opened.disposeAsync(),
  };
}

type ReachedDatabase = DatabaseFacts & { url: string; listenUrl: string };

async function startDatabase(
  opening: AsyncDisposableStack,
  { dataDir }: Settings,
  logger: Logger,
  signal: AbortSignal | undefined,
): Promise<ReachedDatabase> {
  const postgres = await startEmbeddedPostgres({ dataDir, logger, signal });
  opening.defer(() => postgres.stop());
  const { url, version: serverVersion, adopted } = postgres;
  return { kind: "embedded", url, listenUrl: url, version: serverVersion, place: resolve(dataDir), adopted };
}

async function useDatabase(
  { directUrl, dbWaitMs }: Settings,
  url: string,
  logger: Logger,
  signal: AbortSignal | undefined,
): Promise<ReachedDatabase> {
  const serverVersion = await reachDatabase({ url, waitMs: dbWaitMs, logger, signal });
  return {
    kind: "server",
    url,
    listenUrl: directUrl ?? url,
    version: serverVersion,
    place: maskPassword(url),
    adopted: false,
  };
}
