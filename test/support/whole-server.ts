/** Every part of a server in the test's own process, with a worker: what `docmill serve` puts together. */
import { type Access, createAccess } from "../../src/access/access.ts";
import { describeSystem } from "../../src/cli/describe-system.ts";
import { readConfig } from "../../src/config.ts";
import { type AppOptions, createApp } from "../../src/http/app.ts";
import type { App } from "../../src/http/routing.ts";
import { startHttpServer } from "../../src/http/server.ts";
import { createMetrics } from "../../src/metrics/metrics.ts";
import { pipelines } from "../fixtures/pipelines/http.ts";
import { openSamplePlace, type SamplePlace } from "./sample-place.ts";
import { silentLogger } from "./silent-logger.ts";

export interface WholeServer extends AsyncDisposable {
  /** Open, as on this machine. */
  readonly url: string;
  /** The same, asking for keys. */
  readonly guardedUrl: string;
  readonly access: Access;
  /** As it is served, for looking into. */
  readonly app: App;
  readonly place: SamplePlace;
  close(): Promise<void>;
}

export async function openWholeServer(): Promise<WholeServer> {
  await using opening = new AsyncDisposableStack();
  const place = await openSamplePlace(pipelines);
  opening.defer(() => place.close());
  const { runtime, db } = place;
  const logger = silentLogger;
  const { engine, events, documents, heats, books, samples } = runtime;
  const system = describeSystem(readConfig({ environment: {} }), {}, runtime);
  const parts = { engine, events, documents, heats, books, samples, system, logger };
  const asking = (keysRequired: boolean): AppOptions => ({
    ...parts,
    metrics: createMetrics(),
    access: createAccess({ db, logger, keysRequired, sessionHours: 1 }),
  });
  const open = await startHttpServer({ ...asking(false), host: "127.0.0.1", port: 0 });
  opening.defer(() => open.close());
  const guarded = await startHttpServer({ ...asking(true), host: "127.0.0.1", port: 0 });
  opening.defer(() => guarded.close());
  await place.startWorker();
  const opened = opening.move();
  const close = () => opened.disposeAsync();
  return {
    url: open.url,
    guardedUrl: guarded.url,
    access: createAccess({ db, logger, keysRequired: true, sessionHours: 1 }),
    app: createApp(asking(false)),
    place,
    close,
    [Symbol.asyncDispose]: close,
  };
}
