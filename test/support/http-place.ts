/** A real server on a real port, on a database of its own, for tests that talk HTTP to it; workers on request. */
import { createAccess } from "../../src/access/access.ts";
import { type Database, openDatabase } from "../../src/db/database.ts";
import { openHints } from "../../src/db/hints.ts";
import { createEventHub, type EventHub } from "../../src/events/event-hub.ts";
import { type HttpServer, type HttpServerOptions, startHttpServer } from "../../src/http/server.ts";
import { createEngine, type Engine } from "../../src/jobs/engine.ts";
import { observeAll } from "../../src/jobs/happenings.ts";
import type { AnyPipeline } from "../../src/jobs/pipeline.ts";
import type { Worker } from "../../src/jobs/worker.ts";
import type { Logger } from "../../src/logger.ts";
import { pipelines as fixturePipelines } from "../fixtures/pipelines/http.ts";
import type { ServerName } from "./postgres-servers.ts";
import { silentLogger } from "./silent-logger.ts";
import { createTestDatabase } from "./test-database.ts";
import { until } from "./until.ts";

export interface Answer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests look at whatever came
  body: any;
  headers: Headers;
}

export interface HttpPlace extends AsyncDisposable {
  readonly databaseUrl: string;
  readonly db: Database;
  readonly engine: Engine;
  readonly events: EventHub;
  readonly server: HttpServer;
  readonly url: string;
  /** Asks and reads the answer as JSON, or as text where it is none. */
  ask(path: string, init?: RequestInit): Promise<Answer>;
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  /** Creates a job and answers its id. */
  create(kind: string, input: unknown, more?: Record<string, unknown>): Promise<string>;
  /** Asks for the job until it is in this state. */
  untilState(id: string, state: string): Promise<Answer["body"]>;
  startWorker(slots?: number): Promise<Worker>;
  close(): Promise<void>;
}

export interface HttpPlaceOptions {
  server?: ServerName;
  pipelines?: readonly object[];
  logger?: Logger;
  keepAliveMs?: number;
  closeMs?: number;
  /** The built web UI; left out, it is the project's own, built or not. */
  webFolder?: string;
  pollMs?: number;
  /** Left out, nobody is asked who they are. */
  access?: { keysRequired: boolean };
  ratePerMinute?: number;
  metrics?: HttpServerOptions["metrics"];
  traces?: HttpServerOptions["traces"];
  slowest?: HttpServerOptions["slowest"];
  /** Stands between the server and its database, to watch what it asks for. */
  watchDatabase?: (db: Database) => Database;
  /** Stands between the server and its events, to watch what it asks for. */
  watchEvents?: (events: EventHub) => EventHub;
}

export async function openHttpPlace(options: HttpPlaceOptions = {}): Promise<HttpPlace> {
  const { pipelines = fixturePipelines, logger = silentLogger, keepAliveMs, closeMs, webFolder } = options;
  const { pollMs = 200, watchDatabase = (db) => db } = options;
  const { url: databaseUrl, db: unwatched, drop } = await createTestDatabase({ server: options.server });
  const db = watchDatabase(unwatched);
  const control = openDatabase({ url: databaseUrl, logger, maxConnections: 2 });
  const hints = openHints({ db, listenUrl: databaseUrl, logger });
  const { metrics, traces } = options;
  const observe = observeAll(metrics?.engine, traces?.engine);
  const engine = createEngine({ db, hints, logger, pipelines: pipelines as readonly AnyPipeline[], observe });
  const events = createEventHub({ db, hints, logger, pollMs });
  const watched = options.watchEvents?.(events) ?? events;
  const server = await startHttpServer({
    access: options.access && createAccess({ db, logger, sessionHours: 1, ...options.access }),
    ratePerMinute: options.ratePerMinute,
    slowest: options.slowest,
    metrics,
    traces,
    engine,
    events: watched,
    logger,
    host: "127.0.0.1",
    port: 0,
    keepAliveMs,
    closeMs,
    pollMs,
    webFolder,
  });
  const workers: Worker[] = [];

  const ask: HttpPlace["ask"] = async (path, init) => {
    const response = await fetch(server.url + path, init);
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: parse(text) };
  };
  const post: HttpPlace["post"] = (path, body, headers) =>
    ask(path, {
      method: "POST",
      ...(body !== undefined && { body: JSON.stringify(body) }),
      headers: { ...(body !== undefined && { "content-type": "application/json" }), ...headers },
    });
  const close = async () => {
    await server.close();
    await Promise.all(workers.map((worker) => worker.stop(0)));
    events.close();
    await hints.close();
    await control.close();
    await drop();
  };
  return {
    databaseUrl,
    db,
    engine,
    events,
    server,
    url: server.url,
    ask,
    post,
    async create(kind, input, more = {}) {
      const { status, body } = await post("/api/jobs", { kind, input, ...more });
      if (status !== 201) throw new Error(`${status} ${JSON.stringify(body)}`);
      return body.id;
    },
    untilState: (id, state) =>
      until(async () => {
        const { body } = await ask(`/api/jobs/${id}`);
        return body.status === state && body;
      }),
    async startWorker(slots = 4) {
      const terms = { leaseMs: 60_000, heartbeatMs: 200, pollMs: 50 };
      const worker = await engine.startWorker({ control, version: "test", slots, ...terms });
      workers.push(worker);
      return worker;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
