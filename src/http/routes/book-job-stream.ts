/** `/admin/books/:id/jobs/:job_id/stream`: the events of a book's job, exactly as `/api/jobs/:id/stream` gives them. */
import { createRoute } from "@hono/zod-openapi";
import { z } from "zod";
import { BookJobParams } from "../../contract/books.ts";
import { LastEventId } from "../../contract/events.ts";
import type { Engine } from "../../jobs/engine.ts";
import type { Books } from "../../pipelines/books/books.ts";
import { readBookJob } from "../../pipelines/books/read-book-jobs.ts";
import { type App, refusingBook } from "../routing.ts";
import type { EventStreams } from "../sse.ts";
import { jobSubject } from "./job-stream.ts";

const stream = createRoute({
  method: "get",
  path: "/admin/books/{id}/jobs/{job_id}/stream",
  summary: "The events of a book's job as server-sent events",
  description: "A state_sync gives the job as GET /admin/books/{id}/jobs/{job_id} does.",
  request: {
    params: BookJobParams,
    headers: z.object({ "last-event-id": LastEventId.optional() }),
    query: z.object({ lastEventId: LastEventId.optional().describe("For clients that cannot set the header.") }),
  },
  responses: {
    200: { description: "The stream", content: { "text/event-stream": { schema: z.string() } } },
    204: { description: "The job has ended, and nothing came after this event" },
    ...refusingBook(400, 404),
  },
});

export function bookJobStreamRoutes(app: App, engine: Engine, streams: EventStreams, { services }: Books): void {
  app.openapi(stream, async (c) => {
    const { id, job_id } = c.req.valid("param");
    await readBookJob(services.db, id, job_id);
    const subject = jobSubject(engine, job_id);
    const lastEventId = c.req.valid("header")["last-event-id"] ?? c.req.valid("query").lastEventId;
    const sync = async () => ({ ...(await subject.sync()), body: await readBookJob(services.db, id, job_id) });
    return streams.answer({ ...subject, sync }, lastEventId, c.env);
  });
}
