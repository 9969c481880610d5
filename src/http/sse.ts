/**
 * Server-sent events over the plain Node response: exact replay after Last-Event-ID, then live. The next page is asked
 * for only when the last one has left for the client, so a slow reader costs one page, and a gone one nothing.
 */
import { once } from "node:events";
import type { ServerResponse } from "node:http";
import type { HttpBindings } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { Queryable } from "../db/database.ts";
import { sql } from "../db/sql.ts";
import type { EventHub } from "../events/event-hub.ts";
import type { StreamEvent } from "../events/read-events.ts";
import type { Logger } from "../logger.ts";
import { securityHeaders } from "./security-headers.ts";

interface StreamEnd {
  lastEventId: number;
  ended: boolean;
}

/** A job or a batch, as far as its stream goes. */
export interface StreamSubject {
  streamId: string;
  /** Stands before the numbers in the ids of events, where one address leads to several streams in turn. */
  idPrefix?: string;
  /** The subject as its GET gives it, with the number of the last event it includes. Throws NOT_FOUND. */
  sync(): Promise<StreamEnd & { body: object }>;
  /** Whether the stream is over now, and with which event. Throws NOT_FOUND. */
  readEnd(): Promise<StreamEnd>;
  /** Whether an event is kept, so that the stream can be replayed from there. */
  hasEvent(number: number): Promise<boolean>;
  /** Whether the stream may be over after this event. */
  mayEndWith(event: StreamEvent): boolean;
  /** How an event is told, where that differs from how it is kept. */
  tell?(event: StreamEvent): Pick<StreamEvent, "type" | "data">;
}

export interface EventStreams {
  /** Answers a request with the stream after `lastEventId`, or from the present if there is none. */
  answer(subject: StreamSubject, lastEventId: number | undefined, bindings: HttpBindings): Promise<Response>;
}

export interface EventStreamsOptions {
  events: EventHub;
  logger: Logger;
  /** Ends all streams; their clients come back to whoever serves then. */
  stopping: AbortSignal;
  keepAliveMs?: number;
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

export function createEventStreams(options: EventStreamsOptions): EventStreams {
  const { events, logger, stopping, keepAliveMs = 15_000 } = options;
  const open = new Set<AbortController>();
  stopping.addEventListener("abort", () => {
    for (const stream of open) stream.abort();
  });

  return {
    async answer(subject, lastEventId, { incoming, outgoing }) {
      const replayed = lastEventId === undefined ? undefined : await findReplay(subject, lastEventId);
      // The one answer that tells an EventSource not to come back.
      if (replayed?.ended && replayed.lastEventId === lastEventId) return new Response(null, { status: 204 });
      const synced = replayed ? undefined : await subject.sync();
      if (incoming.method === "HEAD") return new Response(null, { headers });

      outgoing.writeHead(200, headers);
      const abort = new AbortController();
      const stop = () => abort.abort();
      outgoing.once("close", stop);
      // A write may meet a connection that broke a moment ago; the close that follows ends the stream.
      outgoing.on("error", stop);
      if (outgoing.closed || outgoing.destroyed || stopping.aborted) stop();
      open.add(abort);
      const start = synced?.lastEventId ?? lastEventId ?? 0;
      const first = synced ? syncMessage(synced, subject.idPrefix) : "";
      const over = synced?.ended === true;
      void pump(subject, start, first, over, outgoing, abort.signal)
        .catch((error: unknown) => {
          // The client comes back and goes on after the last event it has.
          logger.warn({ err: error, streamId: subject.streamId }, "event stream broken off");
        })
        .finally(() => {
          open.delete(abort);
          outgoing.end();
        });
      return RESPONSE_ALREADY_SENT;
    },
  };

  async function pump(
    subject: StreamSubject,
    start: number,
    first: string,
    over: boolean,
    outgoing: ServerResponse,
    signal: AbortSignal,
  ): Promise<void> {
    await send(outgoing, `retry: ${retryMs}\n\n${first}`, signal);
    if (over) return;
    const keepAlive = setInterval(() => {
      if (!signal.aborted && !outgoing.writableNeedDrain) outgoing.write(":\n\n");
      // Looking takes back what a lost worker held: a reader learns of it even where no worker is left to notice.
      subject.readEnd().catch(() => undefined);
    }, keepAliveMs);
    try {
      for await (const page of events.follow(subject.streamId, start, signal)) {
        await send(outgoing, page.map((event) => eventMessage(event, subject)).join(""), signal);
        if (signal.aborted) return;
        if (!page.some((event) => subject.mayEndWith(event))) continue;
        // A person may have retried it: only its present state says whether that was all.
        const end = await subject.readEnd();
        if (end.ended && (page.at(-1)?.number ?? 0) >= end.lastEventId) return;
      }
    } finally {
      clearInterval(keepAlive);
    }
  }
}

/** Whether the event is kept. */
export async function isKept(db: Queryable, streamId: string, number: number): Promise<boolean> {
  const rows = await db.query(sql`select from events where stream_id = ${streamId} and number = ${number}`);
  return rows.length > 0;
}

/** Where the stream ends, if it can be replayed from there. */
async function findReplay(subject: StreamSubject, after: number): Promise<StreamEnd | undefined> {
  const end = await subject.readEnd();
  const kept = after < end.lastEventId ? await subject.hasEvent(after + 1) : after === end.lastEventId;
  return kept ? end : undefined;
}

/** Resolves when the client's side has room again. */
async function send(outgoing: ServerResponse, text: string, signal: AbortSignal): Promise<void> {
  if (signal.aborted || outgoing.write(text)) return;
  await once(outgoing, "drain", { signal }).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
}

function eventMessage(event: StreamEvent, { idPrefix = "", tell }: StreamSubject): string {
  const { number } = event;
  const { type, data } = tell?.(event) ?? event;
  return message(`${idPrefix}${number}`, type, { ...data, type, eventId: number });
}

function syncMessage({ body, lastEventId }: StreamEnd & { body: object }, idPrefix = ""): string {
  return message(`${idPrefix}${lastEventId}`, "state_sync", { ...body, type: "state_sync", eventId: lastEventId });
}

function message(id: string, type: string, data: object): string {
  // A pipeline may name its events as it likes, but not break the stream's lines.
  return `id: ${id}\nevent: ${type.replace(/[\r\n\0]/g, " ")}\ndata: ${JSON.stringify(data)}\n\n`;
}
