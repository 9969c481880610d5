/**
 * The streams of jobs and batches: exact replay after Last-Event-ID, then live. The next page is asked for only when the
 * last one has left for the client, so a slow reader costs one page, and a gone one nothing.
 */
import type { HttpBindings } from "@hono/node-server";
import type { Queryable } from "../db/database.ts";
import { sql } from "../db/sql.ts";
import type { EventHub } from "../events/event-hub.ts";
import type { StreamEvent } from "../events/read-events.ts";
import type { HttpMetrics } from "../metrics/http-metrics.ts";
import { type SseAnswers, type SseConnection, sseMessage } from "./sse-answers.ts";

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
  answers: SseAnswers;
  metrics?: HttpMetrics;
}

export function createEventStreams({ events, answers, metrics }: EventStreamsOptions): EventStreams {
  return {
    async answer(subject, lastEventId, bindings) {
      const replayed = lastEventId === undefined ? undefined : await findReplay(subject, lastEventId);
      // The one answer that tells an EventSource not to come back.
      if (replayed?.ended && replayed.lastEventId === lastEventId) return new Response(null, { status: 204 });
      const synced = replayed ? undefined : await subject.sync();
      // Looking takes back what a lost worker held: a reader learns of it even where no worker is left to notice.
      const look = () => void subject.readEnd().catch(() => undefined);
      const tell = async (connection: SseConnection) => {
        if (synced) await connection.send(syncMessage(synced, subject.idPrefix));
        if (!synced?.ended) await follow(subject, synced?.lastEventId ?? lastEventId ?? 0, connection);
      };
      return answers.answer(bindings, tell, look);
    },
  };

  /** Resolves when the stream is over, or nobody reads it any more. */
  async function follow(subject: StreamSubject, start: number, { send, signal }: SseConnection): Promise<void> {
    const openedAt = Date.now();
    for await (const page of events.follow(subject.streamId, start, signal)) {
      await send(page.map((event) => eventMessage(event, subject)).join(""));
      for (const { createdAt } of metrics ? page : []) {
        // What was there before the reader came has waited for the reader.
        if (createdAt.getTime() >= openedAt) metrics?.eventSent(Date.now() - createdAt.getTime());
      }
      if (signal.aborted) return;
      if (!page.some((event) => subject.mayEndWith(event))) continue;
      // A person may have retried it: only its present state says whether that was all.
      const end = await subject.readEnd();
      if (end.ended && (page.at(-1)?.number ?? 0) >= end.lastEventId) return;
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

function eventMessage(event: StreamEvent, { idPrefix = "", tell }: StreamSubject): string {
  const { number } = event;
  const { type, data } = tell?.(event) ?? event;
  return sseMessage(type, { ...data, type, eventId: number }, `${idPrefix}${number}`);
}

function syncMessage({ body, lastEventId }: StreamEnd & { body: object }, idPrefix = ""): string {
  const data = { ...body, type: "state_sync", eventId: lastEventId };
  return sseMessage("state_sync", data, `${idPrefix}${lastEventId}`);
}
