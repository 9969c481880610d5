/** `/api/documents/:id/stream`: the events of the document's job, exactly as `/api/jobs/:id/stream` gives them. */
import type { Engine } from "../../jobs/engine.ts";
import type { Documents } from "../../pipelines/documents/documents.ts";
import { findDocumentStream } from "../../pipelines/documents/queries/find-document-job.ts";
import { routeOf } from "../operation-route.ts";
import type { App } from "../routing.ts";
import type { EventStreams } from "../sse.ts";
import { jobSubject } from "./job-stream.ts";

export function documentStreamRoutes(app: App, engine: Engine, streams: EventStreams, { services }: Documents): void {
  app.openapi(routeOf("watchDocument"), async (c) => {
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
