/**
 * Answers that stay open and tell events (server-sent events), over the plain Node response: their headers, a sign of
 * life while nothing happens, room on the client's side, and an end when the client is gone or the server closes.
 */
import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { HttpBindings } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { Logger } from "../logger.ts";
import type { HttpMetrics } from "../metrics/http-metrics.ts";
import { securityHeaders } from "./security-headers.ts";

/** One open answer. */
export interface SseConnection {
  /** Aborted when the client is gone or the server is about to close. */
  readonly signal: AbortSignal;
  /** Whether what was sent has left for the client, so that more would not pile up here. */
  readonly hasRoom: boolean;
  /** Sends without waiting, for who looks first whether there is room. */
  write(text: string): void;
  /** Resolves when the client's side has room again. */
  send(text: string): Promise<void>;
}

export interface SseAnswers {
  /** Answers with what `tell` sends; over when it resolves. `look` is called as often as a sign of life is given. */
  answer(bindings: HttpBindings, tell: (connection: SseConnection) => Promise<void>, look?: () => void): Response;
}

export interface SseAnswersOptions {
  logger: Logger;
  /** Ends all answers; their clients come back to whoever serves then. */
  stopping: AbortSignal;
  keepAliveMs?: number;
  /** Whether who opened an answer may go on reading it; asked as often as a sign of life is given. */
  mayStay?(incoming: IncomingMessage): Promise<boolean>;
  metrics?: HttpMetrics;
}

/** How soon a client that lost its stream should come back. */
const retryMs = 2_000;

const headers = {
  ...securityHeaders,
  "content-type": "text/event-stream; charset=utf-8",
  // no-transform: a proxy that compresses would hold events back.
  "cache-control": "no-cache, no-transform",
  // nginx gathers answers otherwise.
  "x-accel-buffering": "no",
};

export function createSseAnswers(options: SseAnswersOptions): SseAnswers {
  const { logger, stopping, keepAliveMs = 15_000, mayStay = async () => true, metrics } = options;
  const open = new Set<AbortController>();
  stopping.addEventListener("abort", () => {
    for (const answer of open) answer.abort();
  });

  return {
    answer({ incoming, outgoing }, tell, look) {
      if (incoming.method === "HEAD") return new Response(null, { headers });
      outgoing.writeHead(200, headers);
      const abort = new AbortController();
      const stop = () => abort.abort();
      outgoing.once("close", stop);
      // A write may meet a connection that broke a moment ago; the close that follows ends the answer.
      outgoing.on("error", stop);
      if (outgoing.closed || outgoing.destroyed || stopping.aborted) stop();
      open.add(abort);
      metrics?.streamOpened();
      const connection = connect(outgoing, abort.signal);
      const keepAlive = setInterval(() => {
        if (connection.hasRoom) connection.write(":\n\n");
        look?.();
        // A database that cannot be asked is no reason to send anyone away.
        mayStay(incoming).then(
          (may) => may || stop(),
          () => undefined,
        );
      }, keepAliveMs);
      void connection
        .send(`retry: ${retryMs}\n\n`)
        .then(() => tell(connection))
        .catch((error: unknown) => {
          // The client comes back and goes on where it was.
          logger.warn({ err: error, path: incoming.url?.split("?")[0] }, "event stream broken off");
        })
        .finally(() => {
          clearInterval(keepAlive);
          open.delete(abort);
          metrics?.streamClosed();
          outgoing.end();
        });
      return RESPONSE_ALREADY_SENT;
    },
  };
}

function connect(outgoing: ServerResponse, signal: AbortSignal): SseConnection {
  return {
    signal,
    get hasRoom() {
      return !signal.aborted && !outgoing.writableNeedDrain;
    },
    write(text) {
      if (!signal.aborted) outgoing.write(text);
    },
    async send(text) {
      if (signal.aborted || outgoing.write(text)) return;
      await once(outgoing, "drain", { signal }).catch((error: unknown) => {
        if (!signal.aborted) throw error;
      });
    },
  };
}

/** An event as it goes over the wire; without an id where there is nothing to go on from. */
export function sseMessage(type: string, data: object, id?: string): string {
  // A pipeline may name its events as it likes, but not break the stream's lines.
  const lines = `event: ${type.replace(/[\r\n\0]/g, " ")}\ndata: ${JSON.stringify(data)}\n\n`;
  return id === undefined ? lines : `id: ${id}\n${lines}`;
}
