/**
 * Opens what a process needs, in order: database, schema, connections, hints, documents, heat sheets, books, engine, events; closes it in
 * reverse. If a step fails, what the steps before it opened is closed again before the error goes on.
 *
 * Once open, a runtime outlives its database: every part tries again until the database is back.
 */
import { hostname } from "node:os";
import { resolve } from "node:path";
import { maskPassword, type Settings } from "./config.ts";
import { type Database, openDatabase, openPreparedDatabase } from "./db/database.ts";
import { startEmbeddedPostgres } from "./db/embedded/start-embedded-postgres.ts";
import { type Hints, openHints } from "./db/hints.ts";
import { migrate } from "./db/migrate.ts";
import { createEventHub, type EventHub } from "./events/event-hub.ts";
import { createEngine, type Engine } from "./jobs/engine.ts";
import { observeAll } from "./jobs/happenings.ts";
import type { AnyPipeline } from "./jobs/pipeline.ts";
import { watchHost } from "./jobs/watch-host.ts";
import type { Worker } from "./jobs/worker.ts";
import type { Logger } from "./logger.ts";
import type { Metrics } from "./metrics/metrics.ts";
import { openBooks } from "./open-books.ts";
import { openDocuments } from "./open-documents.ts";
import { openHeats } from "./open-heats.ts";
import { giveServices } from "./open-services.ts";
import type { PeriodicHappening, PeriodicTask } from "./periodic/periodic-task.ts";
import { startPeriodicWork } from "./periodic/start-periodic-work.ts";
import { listPeriodicTasks } from "./periodic-tasks.ts";
import type { Books } from "./pipelines/books/books.ts";
import { createBookActions } from "./pipelines/books/change-books.ts";
import { createPageActions } from "./pipelines/books/change-pages.ts";
import { createDocumentActions } from "./pipelines/documents/change-documents.ts";
import type { Documents } from "./pipelines/documents/documents.ts";
import { enqueueReembedding } from "./pipelines/documents/enqueue-reembedding.ts";
import type { AfterDocument } from "./pipelines/documents/pipeline.ts";
import { createBatchActions } from "./pipelines/heats/change-batches.ts";
import type { Heats } from "./pipelines/heats/heats.ts";
import { ownProvider, type Providers } from "./providers/own/own-providers.ts";
import { reachDatabase } from "./reach-database.ts";
import { openSamples, type Samples } from "./samples/samples.ts";
import type { Traces } from "./traces/traces.ts";
import { version } from "./version.ts";

export interface RuntimeOptions {
  settings: Settings;
  /** The user's own; those of documents are there by themselves. */
  pipelines: readonly AnyPipeline[];
  /** The user's own, in place of what the settings name. */
  providers?: Providers;
  afterDocument?: AfterDocument;
  logger: Logger;
  /** Left out, nothing is counted. */
  metrics?: Metrics;
  /** Left out, nothing is traced. */
  traces?: Traces;
  /** Gives up opening. */
  signal?: AbortSignal;
  /** Where the samples are, if not where the build puts them. */
  samplesFolder?: string;
}

export interface DatabaseFacts {
  kind: "embedded" | "server";
  version: string;
  /** The folder of the embedded one, the url without its password of any other. */
  place: string;
  /** The embedded server was left running by a process that was killed. */
  adopted: boolean;
}

/** Who does what for documents, as people know them. */
export interface DocumentFacts {
  files: string;
  ocr: string;
  extraction: string;
  embeddings: string;
  /** How vectors are searched. */
  search: string;
  model: string | undefined;
}

export interface Runtime {
  readonly database: DatabaseFacts;
  readonly db: Database;
  readonly hints: Hints;
  readonly engine: Engine;
  readonly events: EventHub;
  readonly documents: Documents;
  readonly heats: Heats;
  readonly books: Books;
  readonly samples: Samples;
  readonly documentFacts: DocumentFacts;
  /** Starts to run jobs here. Whoever starts a worker stops it before closing. */
  startWorker(): Promise<Worker>;
  /** What is swept, removed and refreshed again and again, by one process at a time. */
  readonly periodicTasks: readonly PeriodicTask[];
  /** Takes part in it until the runtime is closed. */
  startPeriodicWork(options?: { observe?: (happening: PeriodicHappening) => void }): void;
  /** For a process without a worker: sees when one on this host is gone, until the runtime is closed. */
  watchHost(): void;
  close(): Promise<void>;
}

/** Heartbeats, watching, looking around, rescuing and periodic turns may come together; none waits for another, or for a job's. */
const controlConnections = 5;

export async function openRuntime({
  settings,
  pipelines,
  providers,
  afterDocument,
  logger,
  metrics,
  traces,
  signal,
  samplesFolder,
}: RuntimeOptions): Promise<Runtime> {
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
  const prepared = openPreparedDatabase({ url, logger, idleInTransactionMs });
  opening.defer(() => prepared.close());
  metrics?.watchDatabase("work", db.usage);
  metrics?.watchDatabase("prepared", prepared.usage);
  metrics?.watchDatabase("control", control.usage);
  const hints = openHints({ db, listenUrl, logger });
  opening.defer(() => hints.close());
  const own = { providers, afterDocument };
  const openedDocuments = await openDocuments(settings, db, logger, own, metrics);
  const { services, pipelines: documentPipelines } = openedDocuments;
  opening.defer(() => openedDocuments.close());
  const { close: closeHeats, ...openedHeats } = openHeats(settings, services, metrics);
  opening.defer(closeHeats);
  const openedBooks = openBooks(settings, services);
  const { maxPaidCalls } = settings;
  const given = giveServices(pipelines, () => ({ services, actions }));
  const all = [...given, ...documentPipelines.all, ...openedHeats.pipelines.all, ...openedBooks.pipelines.all];
  const observe = observeAll(metrics?.engine, traces?.engine);
  const engine = createEngine({ db, prepared, hints, logger, pipelines: all, maxPaidCalls, observe });
  const actions = createDocumentActions({ engine, services, pipelines: documentPipelines });
  const events = createEventHub({ db, hints, logger, pollMs: settings.pollMs });
  opening.defer(() => events.close());

  const documents: Documents = { services, pipelines: documentPipelines, actions };
  const heats: Heats = { ...openedHeats, actions: createBatchActions({ engine, ...openedHeats }) };
  const books: Books = {
    ...openedBooks,
    actions: createBookActions({ engine, ...openedBooks }),
    pages: createPageActions({ engine, ...openedBooks }),
  };
  const inBackground = openBackground(opening, logger);
  const periodicTasks = listPeriodicTasks({ settings, engine, services: heats.services });

  const opened = opening.move();
  return {
    database,
    db,
    hints,
    engine,
    events,
    documents,
    heats,
    books,
    samples: openSamples({ documents, heats, books }, samplesFolder),
    documentFacts: describeDocuments(services),
    startWorker() {
      const { concurrency: slots, leaseMs, heartbeatMs, pollMs } = settings;
      inBackground("reembedding", (stop) => enqueueReembedding(engine, documents, stop));
      return engine.startWorker({ control, version, slots, leaseMs, heartbeatMs, pollMs });
    },
    periodicTasks,
    startPeriodicWork({ observe = metrics?.periodic } = {}) {
      const holder = `${hostname()} (pid ${process.pid})`;
      const work = startPeriodicWork({ db: control, tasks: periodicTasks, holder, logger, observe });
      opened.defer(() => work.stop());
    },
    watchHost() {
      const watch = watchHost({ engine, control, everyMs: settings.pollMs, logger });
      opened.defer(() => watch.stop());
    },
    close: () => opened.disposeAsync(),
  };
}

/** Work that nobody waits for. It is told to stop, and waited for, before what it uses is closed. */
function openBackground(opening: AsyncDisposableStack, logger: Logger) {
  const stop = new AbortController();
  const underWay = new Set<Promise<void>>();
  opening.defer(async () => {
    stop.abort();
    await Promise.all(underWay);
  });
  return (task: string, work: (stop: AbortSignal) => Promise<number>): void => {
    const done = work(stop.signal)
      .then((count) => {
        if (count > 0) logger.info({ task, count }, "done in the background");
      })
      .catch((error: unknown) => logger.warn({ err: error, task }, "failed in the background"))
      .finally(() => underWay.delete(done));
    underWay.add(done);
  };
}

function describeDocuments(services: Documents["services"]): DocumentFacts {
  const { blobs, ocr, extraction, defaultExtraction, embedder, vectors, model } = services;
  return {
    files: blobs.place,
    ocr: ocr.name,
    extraction: (defaultExtraction !== "local" && extraction[defaultExtraction]?.name) || "local",
    embeddings: describeModel(embedder),
    search: vectors.method === "pgvector" ? "pgvector" : "exact search",
    model: model && describeModel(model),
  };
}

function describeModel({ provider, model }: { provider: string; model: string }): string {
  return provider === ownProvider ? `${model}, ${provider}` : `${provider} (${model})`;
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
