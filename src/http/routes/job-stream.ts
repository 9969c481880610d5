/** `/api/jobs/:id/stream`: a job's events as they happen, and exactly those that a client has missed. */
import { createRoute } from "@hono/zod-openapi";
import { z } from "zod";
import { LastEventId } from "../../contract/events.ts";
import { JobParams } from "../../contract/jobs.ts";
import { isEnded } from "../../contract/states.ts";
import type { Engine } from "../../jobs/engine.ts";
import { readJob, requireJob } from "../../jobs/read-jobs.ts";
import { type App, refusing } from "../routing.ts";
import { type EventStreams, isKept, type StreamSubject } from "../sse.ts";

const stream = createRoute({
  method: "get",
  path: "/api/jobs/{id}/stream",
  summary: "A job's events as server-sent events",
  description:
    "Without Last-Event-ID: one state_sync (the job as GET gives it), then live events. With it: every event after it, " +
    "exactly once, then live ones; a state_sync instead if it is beyond the end or older than what is kept. The server " +
    "closes the stream when the job has ended; asked again after the last event, it answers 204.",
  request: {
    params: JobParams,
    headers: z.object({ "last-event-id": LastEventId.optional() }),
    query: z.object({ lastEventId: LastEventId.optional().describe("For clients that cannot set the header.") }),
  },
  responses: {
    200: { description: "The stream", content: { "text/event-stream": { schema: z.string() } } },
    204: { description: "The job has ended, and nothing came after this event" },
    ...refusing(400, 404),
  },
});

export function jobStreamRoutes(app: App, engine: Engine, streams: EventStreams): void {
  app.openapi(stream, (c) => {
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
