/**
 * Where Docmill is put together. A process is a runtime (database, engine, events), and on it a worker that runs jobs,
 * an HTTP server, or both. What was opened here is closed in reverse when the process is told to stop.
 */
import { describeSystem } from "./cli/describe-system.ts";
import type { Launch } from "./cli/launch.ts";
import { runProgram } from "./cli/program.ts";
import type { RunningServer } from "./cli/serve-command.ts";
import type { RunningWorker } from "./cli/worker-command.ts";
import { startHttpServer } from "./http/server.ts";
import { createStatsReader } from "./jobs/read-stats.ts";
import { createRegistry, refuseTakenKinds } from "./jobs/registry.ts";
import { bookKinds } from "./pipelines/books/pipeline.ts";
import { documentKinds } from "./pipelines/documents/pipeline.ts";
import { heatKinds } from "./pipelines/heats/pipeline.ts";
import { openRuntime, type Runtime } from "./runtime.ts";

await runProgram(process.argv.slice(2), { startServer, startWorker });

async function startServer(launch: Launch, signal: AbortSignal): Promise<RunningServer> {
  const { settings, logger } = launch;
  await using starting = new AsyncDisposableStack();
  const runtime = await openChecked(launch, signal);
  starting.defer(() => runtime.close());
  // Until the last job is at rest people may want to look at it: HTTP goes after the worker.
  const { host, port, pollMs } = settings;
  const { engine, events, documents, heats, books, samples } = runtime;
  const checks = { storage: () => documents.services.blobs.check() };
  const system = describeSystem(launch.config, runtime);
  const parts = { engine, events, documents, heats, books, samples, system };
  const http = await startHttpServer({ ...parts, checks, logger, host, port, pollMs });
  starting.defer(() => http.close());
  if (settings.workers) {
    const worker = await runtime.startWorker();
    starting.defer(() => worker.stop(settings.shutdownGraceMs));
  }
  runtime.startSweeping();
  const { byKind } = await createStatsReader(engine)();
  const unservedKinds = Object.keys(byKind).filter(
    (kind) => byKind[kind]?.served === false && byKind[kind].pending > 0,
  );
  const started = starting.move();
  return {
    url: http.url,
    database: runtime.database,
    documents: runtime.documentFacts,
    unservedKinds,
    close: () => started.disposeAsync(),
  };
}

async function startWorker(launch: Launch, signal: AbortSignal): Promise<RunningWorker> {
  await using starting = new AsyncDisposableStack();
  const runtime = await openChecked(launch, signal);
  starting.defer(() => runtime.close());
  const worker = await runtime.startWorker();
  starting.defer(() => worker.stop(launch.settings.shutdownGraceMs));
  const started = starting.move();
  return {
    id: worker.id,
    database: runtime.database,
    documents: runtime.documentFacts,
    close: () => started.disposeAsync(),
  };
}

/** Opens the runtime, unless a kind has no handler or two: that is refused before anything is touched. */
async function openChecked({ settings, pipelines, logger }: Launch, signal: AbortSignal): Promise<Runtime> {
  createRegistry(pipelines);
  refuseTakenKinds(pipelines, [...documentKinds, ...heatKinds, ...bookKinds]);
  return openRuntime({ settings, pipelines, logger, signal });
}
