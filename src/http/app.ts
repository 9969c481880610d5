/** The HTTP API and the web page, put together from their routes. It listens nowhere: `server.ts` does. */
import type { Context, Next } from "hono";
import type { Access } from "../access/access.ts";
import type { ErrorAnswer } from "../contract/errors.ts";
import type { SystemInfo } from "../contract/system.ts";
import type { EventHub } from "../events/event-hub.ts";
import type { Engine } from "../jobs/engine.ts";
import { createStatsReader } from "../jobs/read-stats.ts";
import { rescueBeforeReading } from "../jobs/rescue-before-reading.ts";
import { createActivityWatcher } from "../jobs/watch-activity.ts";
import type { Logger } from "../logger.ts";
import type { Metrics } from "../metrics/metrics.ts";
import type { Books } from "../pipelines/books/books.ts";
import { bookKinds } from "../pipelines/books/pipeline.ts";
import type { Documents } from "../pipelines/documents/documents.ts";
import type { Heats } from "../pipelines/heats/heats.ts";
import type { Samples } from "../samples/samples.ts";
import type { Traces } from "../traces/traces.ts";
import { auditRequests } from "./access/audit-requests.ts";
import { readClientAddress } from "./access/client-address.ts";
import { createGuard } from "./access/guard.ts";
import { refuseForeignHosts } from "./access/refuse-foreign-hosts.ts";
import { refuseForeignPages } from "./access/refuse-foreign-pages.ts";
import { sessionCookies } from "./access/session-cookie.ts";
import { createBatchReader } from "./batch-reader.ts";
import { toHttpError } from "./errors.ts";
import { observeRequests } from "./observe-requests.ts";
import { openApiRoutes } from "./openapi/openapi-routes.ts";
import { wordsOf } from "./operation-route.ts";
import { type ReadinessCheck, readinessChecks } from "./readiness.ts";
import { refuseBrokenAddresses } from "./refuse-unreadable.ts";
import { activityStreamRoutes } from "./routes/activity-stream.ts";
import { batchStreamRoutes } from "./routes/batch-stream.ts";
import { batchRoutes } from "./routes/batches.ts";
import { bookJobStreamRoutes } from "./routes/book-job-stream.ts";
import { bookPageRoutes } from "./routes/book-pages.ts";
import { bookRoutes } from "./routes/books.ts";
import { documentResultRoutes } from "./routes/document-results.ts";
import { documentStreamRoutes } from "./routes/document-stream.ts";
import { documentRoutes } from "./routes/documents.ts";
import { healthRoutes } from "./routes/health.ts";
import { jobFileRoutes } from "./routes/job-files.ts";
import { jobStreamRoutes } from "./routes/job-stream.ts";
import { jobRoutes } from "./routes/jobs.ts";
import { keyRoutes } from "./routes/keys.ts";
import { metricsRoutes } from "./routes/metrics.ts";
import { sampleRoutes } from "./routes/samples.ts";
import { searchRoutes } from "./routes/search.ts";
import { sessionRoutes } from "./routes/session.ts";
import { sharedResultRoutes } from "./routes/shared-results.ts";
import { statsRoutes } from "./routes/stats.ts";
import { systemRoutes } from "./routes/system.ts";
import { workerRoutes } from "./routes/workers.ts";
import { type App, createRouter, refuseOtherMethods } from "./routing.ts";
import { securityHeaders } from "./security-headers.ts";
import { createEventStreams } from "./sse.ts";
import { createSseAnswers } from "./sse-answers.ts";
import { builtWebFolder, webPages } from "./web-pages.ts";

export interface AppOptions {
  /** Left out, nobody is asked who they are, and there are no routes for keys. */
  access?: Access;
  /** Requests that create or change something, a minute, for each key or address; left out, there is no limit. */
  ratePerMinute?: number;
  /** Addresses and ranges of one's own proxies, whose word on where a request comes from is taken. */
  trustedProxies?: readonly string[];
  /** Where people reach this server, if not at the address it listens on. */
  publicUrl?: string;
  engine: Engine;
  events: EventHub;
  /** Left out, there are no routes for documents. */
  documents?: Documents;
  /** Left out, there are no routes for batches of heat sheets. */
  heats?: Heats;
  /** Left out, there are no routes for books. */
  books?: Books;
  /** Left out, there is no route to start samples. */
  samples?: Samples;
  /** Left out, there is no route that tells of it. */
  system?: SystemInfo;
  logger: Logger;
  /** Left out, nothing is counted, and there is no `/metrics`. */
  metrics?: Metrics;
  /** Left out, nothing is traced. */
  traces?: Traces;
  /** Ends the event streams when the server is about to close. */
  stopping?: AbortSignal;
  /** Further conditions for `/readyz`, by name. */
  checks?: Record<string, ReadinessCheck>;
  /** How often an idle stream gets a sign of life. */
  keepAliveMs?: number;
  /** How often `/api/stream` looks for what no hint told of, while somebody reads it. */
  pollMs?: number;
  /** Where the built web UI is, if not where the build puts it. */
  webFolder?: string;
}

/** How long a book's job may wait for a worker that is not there. */
const unstartedMs = 120_000;

export function createApp(options: AppOptions): App {
  const {
    access,
    ratePerMinute,
    trustedProxies,
    publicUrl,
    engine,
    events,
    documents,
    heats,
    books,
    samples,
    system,
    logger,
    metrics,
    traces,
    stopping = new AbortController().signal,
    keepAliveMs,
    pollMs,
    webFolder = builtWebFolder,
  } = options;
  const app = createRouter();

  app.use(observeRequests({ metrics: metrics?.http, traces, logger }));
  app.use(async (c, next) => {
    await next();
    for (const [name, value] of Object.entries(securityHeaders)) {
      // A file from outside comes with a stricter policy of its own.
      if (!c.res.headers.has(name)) c.header(name, value);
    }
  });
  app.use(refuseBrokenAddresses);
  const guard =
    access && createGuard({ access, clientAddress: readClientAddress(trustedProxies), ratePerMinute, logger });
  if (access && !access.keysRequired) app.use(refuseForeignHosts(publicUrl));
  app.use(refuseForeignPages(publicUrl));
  app.use("/api/*", noStore);
  app.use("/admin/*", noStore);
  if (access && guard) app.use(guard.middleware, auditRequests(access, guard));
  app.onError((error, c) => {
    const { status, body, headers } = toHttpError(error, logger, c.get("requestId"));
    return c.json(inWordsOf(c, body), status, headers);
  });
  app.notFound((c) => {
    const message = `There is no ${c.req.path}. /openapi.json lists what there is.`;
    return c.json(inWordsOf(c, { error: "NOT_FOUND", message }), 404);
  });

  healthRoutes(app, { ...readinessChecks(engine.db), ...options.checks });
  if (metrics) metricsRoutes(app, metrics);
  jobRoutes(app, engine);
  const answers = createSseAnswers({ logger, stopping, keepAliveMs, mayStay: guard?.mayStay, metrics: metrics?.http });
  const streams = createEventStreams({ events, answers, metrics: metrics?.http });
  jobStreamRoutes(app, engine, streams);
  if (documents) {
    documentRoutes(app, engine, documents);
    jobFileRoutes(app, engine, documents.services.blobs);
    documentResultRoutes(app, documents);
    documentStreamRoutes(app, engine, streams, documents);
    searchRoutes(app, engine, documents);
  }
  if (books) {
    // What nobody works on any more is never shown as if someone did.
    app.use("/admin/*", async (_c, next) => {
      await rescueBeforeReading(engine);
      await engine.abandonUnstarted({ kinds: bookKinds, olderThanMs: unstartedMs });
      await next();
    });
    bookRoutes(app, engine, books);
    bookPageRoutes(app, books);
    bookJobStreamRoutes(app, engine, streams, books);
  }
  if (heats) {
    const readBatch = createBatchReader(engine, heats);
    batchRoutes(app, engine, heats, readBatch);
    batchStreamRoutes(app, engine, streams, heats, readBatch);
    sharedResultRoutes(app, heats);
  }
  if (access && guard) {
    sessionRoutes(app, access, guard, sessionCookies(publicUrl?.startsWith("https:") ?? false));
    keyRoutes(app, access, guard);
  }
  if (samples) sampleRoutes(app, samples);
  if (system) systemRoutes(app, system);
  workerRoutes(app, engine);
  const readStats = createStatsReader(engine);
  statsRoutes(app, readStats);
  activityStreamRoutes(app, createActivityWatcher({ source: engine, readStats, logger, pollMs }), answers);
  openApiRoutes(app);
  refuseOtherMethods(app);
  webPages(app, webFolder);
  return app;
}

function inWordsOf({ req: { path } }: Context, body: ErrorAnswer): object {
  switch (wordsOf(path)) {
    case "batch":
      return { success: false, ...body };
    case "book":
      return { detail: body.message };
    case "plain":
      return body;
  }
}

async function noStore(c: Context, next: Next): Promise<void> {
  await next();
  c.header("cache-control", "no-store");
}
