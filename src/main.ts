/**
 * Where Docmill is put together. A process is a runtime (database, engine, events), and on it a worker that runs jobs,
 * an HTTP server, or both. What was opened here is closed in reverse when the process is told to stop.
 */
import { describeSystem } from "./cli/describe-system.ts";
import type { Launch } from "./cli/launch.ts";
import { runProgram } from "./cli/program.ts";
import type { RunningServer } from "./cli/serve-command.ts";
import type { RunningWorker } from "./cli/worker-command.ts";
import { startMetricsServer } from "./http/metrics-server.ts";
import { startHttpServer } from "./http/server.ts";
import { createQueueDepthReader } from "./jobs/read-queue-depth.ts";
import { createStatsReader } from "./jobs/read-stats.ts";
import { createRegistry, refuseTakenKinds } from "./jobs/registry.ts";
import { createMetrics, type Metrics } from "./metrics/metrics.ts";
import { openAccess } from "./open-access.ts";
import { bookKinds } from "./pipelines/books/pipeline.ts";
import { documentKinds } from "./pipelines/documents/pipeline.ts";
import { heatKinds } from "./pipelines/heats/pipeline.ts";
import { openRuntime, type Runtime } from "./runtime.ts";
import { openTraces, type Traces } from "./traces/traces.ts";
import { version } from "./version.ts";

await runProgram(process.argv.slice(2), { startServer, startWorker });

async function startServer(launch: Launch, signal: AbortSignal): Promise<RunningServer> {
  const { settings, logger } = launch;
  await using starting = new AsyncDisposableStack();
  const observers = await openObservers(launch, starting);
  const runtime = await openChecked(launch, observers, signal);
  starting.defer(() => runtime.close());
  const { access, ratePerMinute } = await openAccess(settings, runtime.db, logger);
  // Until the last job is at rest people may want to look at it: HTTP goes after the worker.
  const { host, port, pollMs, trustedProxies, publicUrl } = settings;
  const { engine, events, documents, heats, books, samples } = runtime;
  observers.metrics.watchQueue(createQueueDepthReader(engine));
  const checks = { storage: () => documents.services.blobs.check() };
  const system = describeSystem(launch.config, launch.providers, runtime);
  const parts = { engine, events, documents, heats, books, samples, system };
  const asked = { access, ratePerMinute, trustedProxies, publicUrl };
  const http = await startHttpServer({ ...parts, ...asked, ...observers, checks, logger, host, port, pollMs });
  starting.defer(() => http.close());
  if (settings.workers) {
    const worker = await runtime.startWorker();
    starting.defer(() => worker.stop(settings.shutdownGraceMs));
  } else runtime.watchHost();
  runtime.startPeriodicWork();
  const { byKind } = await createStatsReader(engine)();
  const unservedKinds = Object.keys(byKind).filter(
    (kind) => byKind[kind]?.served === false && byKind[kind].pending > 0,
  );
  const started = starting.move();
  return {
    url: http.url,
    keysRequired: access.keysRequired,
    database: runtime.database,
    documents: runtime.documentFacts,
    unservedKinds,
    close: () => started.disposeAsync(),
  };
}

async function startWorker(launch: Launch, signal: AbortSignal): Promise<RunningWorker> {
  const { settings, logger } = launch;
  await using starting = new AsyncDisposableStack();
  const observers = await openObservers(launch, starting);
  const runtime = await openChecked(launch, observers, signal);
  starting.defer(() => runtime.close());
  const metricsUrl = await showMetrics();
  const worker = await runtime.startWorker();
  starting.defer(() => worker.stop(settings.shutdownGraceMs));
  runtime.startPeriodicWork();
  const started = starting.move();
  return {
    id: worker.id,
    metricsUrl,
    database: runtime.database,
    documents: runtime.documentFacts,
    close: () => started.disposeAsync(),
  };

  async function showMetrics(): Promise<string | undefined> {
    const { metricsPort: port, metricsHost: host } = settings;
    if (port === undefined) return undefined;
    const { access } = await openAccess({ ...settings, host }, runtime.db, logger);
    const server = await startMetricsServer({ metrics: observers.metrics, access, logger, host, port });
    starting.defer(() => server.close());
    return `${server.url}/metrics`;
  }
}

interface Observers {
  metrics: Metrics;
  traces: Traces | undefined;
}

/** Traces are closed after all that may still tell them something. */
async function openObservers({ settings, logger }: Launch, starting: AsyncDisposableStack): Promise<Observers> {
  const traces = await openTraces(settings, { version, logger });
  starting.defer(() => traces?.close());
  return { metrics: createMetrics(), traces };
}

/** Opens the runtime, unless a kind has no handler or two: that is refused before anything is touched. */
async function openChecked(launch: Launch, observers: Observers, signal: AbortSignal): Promise<Runtime> {
  const { settings, pipelines, providers, afterDocument, logger } = launch;
  createRegistry(pipelines);
  refuseTakenKinds(pipelines, [...documentKinds, ...heatKinds, ...bookKinds]);
  return openRuntime({ settings, pipelines, providers, afterDocument, ...observers, logger, signal });
}
