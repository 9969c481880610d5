/** `/api/batch/:id/stream`: a batch's events as they happen, and exactly those that a client has missed. */
import type { Engine } from "../../jobs/engine.ts";
import { rescueBeforeReading } from "../../jobs/rescue-before-reading.ts";
import { toBatchEvent } from "../../pipelines/heats/batch-events.ts";
import type { Heats } from "../../pipelines/heats/heats.ts";
import { findBatch } from "../../pipelines/heats/queries/find-batch.ts";
import { readBatchEnd } from "../../pipelines/heats/read-batches.ts";
import type { BatchReader } from "../batch-reader.ts";
import { routeOf } from "../operation-route.ts";
import type { App } from "../routing.ts";
import { type EventStreams, isKept, type StreamSubject } from "../sse.ts";

export function batchStreamRoutes(
  app: App,
  engine: Engine,
  streams: EventStreams,
  { services }: Heats,
  readBatch: BatchReader,
): void {
  app.openapi(routeOf("watchBatch"), async (c) => {
    const { id } = await findBatch(services.db, c.req.valid("param").id);
    const lastEventId = c.req.valid("header")["last-event-id"] ?? c.req.valid("query").lastEventId;
    return streams.answer(batchSubject(engine, services.db, id, readBatch), readNumber(lastEventId), c.env);
  });
}

/** What is no number of an event is answered with a state_sync: a refusal would keep a browser from ever coming back. */
function readNumber(eventId: string | undefined): number | undefined {
  return /^\d{1,9}$/.test(eventId ?? "") ? Number(eventId) : undefined;
}

const lastTypes = new Set(["batch_completed", "batch_cancelled", "batch_follow_up_failed"]);

/** A batch, as far as its stream goes. */
function batchSubject(engine: Engine, db: Heats["services"]["db"], id: string, readBatch: BatchReader): StreamSubject {
  return {
    streamId: id,
    async sync() {
      const { batch, jobs } = await readBatch(id);
      const ended = batch.status !== "pending" && batch.status !== "running";
      return { body: { batch, jobs }, lastEventId: batch.lastEventId, ended };
    },
    async readEnd() {
      await rescueBeforeReading(engine);
      return readBatchEnd(db, id);
    },
    hasEvent: (number) => isKept(db, id, number),
    mayEndWith: ({ type }) => lastTypes.has(type),
    tell: toBatchEvent,
  };
}
