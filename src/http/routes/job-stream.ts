/** `/api/jobs/:id/stream`: a job's events as they happen, and exactly those that a client has missed. */
import { isEnded } from "../../contract/states.ts";
import type { Engine } from "../../jobs/engine.ts";
import { readJob, requireJob } from "../../jobs/read-jobs.ts";
import { routeOf } from "../operation-route.ts";
import type { App } from "../routing.ts";
import { type EventStreams, isKept, type StreamSubject } from "../sse.ts";

export function jobStreamRoutes(app: App, engine: Engine, streams: EventStreams): void {
  app.openapi(routeOf("watchJob"), (c) => {
    // A client that reconnects sends the same url again: the header is the newer of the two.
    const lastEventId = c.req.valid("header")["last-event-id"] ?? c.req.valid("query").lastEventId;
    return streams.answer(jobSubject(engine, c.req.valid("param").id), lastEventId, c.env);
  });
}

const lastTypes = new Set(["job_completed", "job_failed", "job_cancelled"]);

/** A job, as far as its stream goes. */
export function jobSubject(engine: Engine, id: string): StreamSubject {
  return {
    streamId: id,
    async sync() {
      const body = await readJob(engine, id);
      return { body, lastEventId: body.lastEventId, ended: isEnded(body.status) };
    },
    readEnd: () => requireJob(engine, id),
    hasEvent: (number) => isKept(engine.db, id, number),
    mayEndWith: ({ type }) => lastTypes.has(type),
  };
}
