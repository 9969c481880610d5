/** Listens for HTTP, and closes without cutting anyone off: streams are ended, requests are answered, then it is over. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener, RequestError } from "@hono/node-server";
import { DocmillError } from "../errors.ts";
import { type AppOptions, createApp } from "./app.ts";
import { endSlowRequests, type SlowRequestOptions } from "./end-slow-requests.ts";
import { answerUnreadable, refuseUnreadable } from "./refuse-unreadable.ts";
import type { App } from "./routing.ts";

export interface HttpServerOptions extends Omit<AppOptions, "stopping"> {
  host: string;
  /** 0 takes any free one. */
  port: number;
  /** How long requests under way may take to end after `close` was called. */
  closeMs?: number;
  /** How long a connection may be silent in the middle of a request or an answer. */
  idleMs?: number;
  /** What a client has to send for its request to be waited for. */
  slowest?: SlowRequestOptions;
}

export interface HttpServer {
  readonly url: string;
  readonly port: number;
  /** Takes no more requests, ends event streams, and resolves when the last answer is out. */
  close(): Promise<void>;
}

const headersTimeout = 20_000;
/** Half a kilobyte a second: any line that people upload over is faster. */
const usualSlowest: SlowRequestOptions = { minBytes: 16 * 1024, windowMs: 30_000 };

export function startHttpServer(options: HttpServerOptions): Promise<HttpServer> {
  const { host, port, closeMs, idleMs, slowest, ...appOptions } = options;
  const stopping = new AbortController();
  const app = createApp({ ...appOptions, stopping: stopping.signal });
  return listenWith(app, { host, port, closeMs, idleMs, slowest }, stopping);
}

type ListenOptions = Pick<HttpServerOptions, "host" | "port" | "closeMs" | "idleMs" | "slowest">;

/** `stopping` is aborted when the server is about to close. */
export async function listenWith(
  app: Pick<App, "fetch">,
  { host, port, closeMs = 5_000, idleMs = 120_000, slowest = usualSlowest }: ListenOptions,
  stopping?: AbortController,
): Promise<HttpServer> {
  const listener = getRequestListener(app.fetch, { overrideGlobalObjects: false, errorHandler });
  // An upload may take as long as it goes on; a connection on which nothing moves, in either direction, is closed.
  const server = createServer({ requestTimeout: 0, headersTimeout, requireHostHeader: false }, listener);
  server.setTimeout(idleMs);
  endSlowRequests(server, slowest);
  refuseUnreadable(server);
  await listen(server, host, port);
  const { port: actualPort } = server.address() as AddressInfo;
  let closed: Promise<void> | undefined;
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${actualPort}`,
    port: actualPort,
    close() {
      stopping?.abort();
      closed ??= closeServer(server, closeMs);
      return closed;
    },
  };
}

/** The app answers its own errors; what comes here never reached it. */
function errorHandler(error: unknown): Response {
  if (error instanceof RequestError) return answerUnreadable();
  throw error;
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException) => reject(explainListenError(error, host, port));
    server.once("error", fail);
    server.listen({ host, port }, () => {
      server.off("error", fail);
      resolve();
    });
  });
}

function explainListenError(error: NodeJS.ErrnoException, host: string, port: number): Error {
  switch (error.code) {
    case "EADDRINUSE": {
      const message = `Port ${port} on ${host} is taken. Stop what listens there, or choose another with --port (0 takes any free one).`;
      return new DocmillError("PORT_TAKEN", message, { cause: error });
    }
    case "EACCES": {
      const message = `Port ${port} is not for ordinary users. Choose one above 1023 with --port.`;
      return new DocmillError("PORT_FORBIDDEN", message, { cause: error });
    }
    case "EADDRNOTAVAIL":
    case "ENOTFOUND": {
      const message = `${host} is no address of this machine. Use 127.0.0.1, or one of its own with --host.`;
      return new DocmillError("HOST_UNAVAILABLE", message, { cause: error });
    }
    default:
      return error;
  }
}

/** Connections that a client keeps open go as soon as they are idle. */
const idleCheckMs = 25;

async function closeServer(server: Server, closeMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const idle = setInterval(() => server.closeIdleConnections(), idleCheckMs);
  const late = setTimeout(() => server.closeAllConnections(), closeMs);
  await closed;
  clearInterval(idle);
  clearTimeout(late);
}
