/** `/api/documents/:id/stream`: the events of the document's job, exactly as `/api/jobs/:id/stream` gives them. */
import { createRoute } from "@hono/zod-openapi";
import { z } from "zod";
import { DocumentParams } from "../../contract/documents.ts";
import { DocumentEventId } from "../../contract/events.ts";
import type { Engine } from "../../jobs/engine.ts";
import type { Documents } from "../../pipelines/documents/documents.ts";
import { findDocumentStream } from "../../pipelines/documents/queries/find-document-job.ts";
import { type App, refusing } from "../routing.ts";
import type { EventStreams } from "../sse.ts";
import { jobSubject } from "./job-stream.ts";

const stream = createRoute({
  method: "get",
  path: "/api/documents/{id}/stream",
  summary: "The events of a document's processing as server-sent events",
  description:
    "Of the job that processes it now, or did so last. A reprocess begins a stream of its own, whose ids name its job " +
    "too: a client that comes back with the id of an earlier stream gets a state_sync.",
  request: {
    params: DocumentParams,
    headers: z.object({ "last-event-id": DocumentEventId.optional() }),
    query: z.object({ lastEventId: DocumentEventId.optional().describe("For clients that cannot set the header.") }),
  },
  responses: {
    200: { description: "The stream", content: { "text/event-stream": { schema: z.string() } } },
    204: { description: "The job has ended, and nothing came after this event" },
    ...refusing(400, 404),
  },
});

export function documentStreamRoutes(app: App, engine: Engine, streams: EventStreams, { services }: Documents): void {
  app.openapi(stream, async (c) => {
    const { jobId, isFirst } = await findDocumentStream(services.db, c.req.valid("param").id);
    const idPrefix = isFirst ? "" : `${jobId}:`;
    const lastEventId = c.req.valid("header")["last-event-id"] ?? c.req.valid("query").lastEventId;
    return streams.answer({ ...jobSubject(engine, jobId), idPrefix }, numberIn(lastEventId, idPrefix), c.env);
  });
}

/** The number of an event of this stream; of another's, nothing is known. Whoever names 0 wants all there is. */
function numberIn(eventId: string | undefined, idPrefix: string): number | undefined {
  if (eventId === undefined) return undefined;
  if (eventId === "0") return 0;
  return eventId.startsWith(idPrefix) && /^\d+$/.test(eventId.slice(idPrefix.length))
    ? Number(eventId.slice(idPrefix.length))
    : undefined;
}
