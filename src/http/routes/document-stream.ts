/** `/api/documents/:id/stream`: the events of the document's job, exactly as `/api/jobs/:id/stream` gives them. */
import { createRoute } from "@hono/zod-openapi";
import { z } from "zod";
import { DocumentParams } from "../../contract/documents.ts";
import { LastEventId } from "../../contract/events.ts";
import type { Engine } from "../../jobs/engine.ts";
import type { Documents } from "../../pipelines/documents/documents.ts";
import { findDocumentJob } from "../../pipelines/documents/queries/find-document-job.ts";
import { type App, refusing } from "../routing.ts";
import type { EventStreams } from "../sse.ts";
import { jobSubject } from "./job-stream.ts";

const stream = createRoute({
  method: "get",
  path: "/api/documents/{id}/stream",
  summary: "The events of a document's processing as server-sent events",
  description: "Of the job that processes it now, or did so last. A reprocess begins a stream of its own.",
  request: {
    params: DocumentParams,
    headers: z.object({ "last-event-id": LastEventId.optional() }),
    query: z.object({ lastEventId: LastEventId.optional().describe("For clients that cannot set the header.") }),
  },
  responses: {
    200: { description: "The stream", content: { "text/event-stream": { schema: z.string() } } },
    204: { description: "The job has ended, and nothing came after this event" },
    ...refusing(400, 404),
  },
});

export function documentStreamRoutes(app: App, engine: Engine, streams: EventStreams, { services }: Documents): void {
  app.openapi(stream, async (c) => {
    const jobId = await findDocumentJob(services.db, c.req.valid("param").id);
    const lastEventId = c.req.valid("header")["last-event-id"] ?? c.req.valid("query").lastEventId;
    return streams.answer(jobSubject(engine, jobId), lastEventId, c.env);
  });
}
