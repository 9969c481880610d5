/** `/admin/books/:id/jobs/:job_id/stream`: the events of a book's job, exactly as `/api/jobs/:id/stream` gives them. */
import type { Engine } from "../../jobs/engine.ts";
import type { Books } from "../../pipelines/books/books.ts";
import { readBookJob } from "../../pipelines/books/read-book-jobs.ts";
import { routeOf } from "../operation-route.ts";
import type { App } from "../routing.ts";
import type { EventStreams } from "../sse.ts";
import { jobSubject } from "./job-stream.ts";

export function bookJobStreamRoutes(app: App, engine: Engine, streams: EventStreams, { services }: Books): void {
  app.openapi(routeOf("watchBookJob"), async (c) => {
    const { id, job_id } = c.req.valid("param");
    await readBookJob(services.db, id, job_id);
    const subject = jobSubject(engine, job_id);
    const lastEventId = c.req.valid("header")["last-event-id"] ?? c.req.valid("query").lastEventId;
    const sync = async () => ({ ...(await subject.sync()), body: await readBookJob(services.db, id, job_id) });
    return streams.answer({ ...subject, sync }, lastEventId, c.env);
  });
}
