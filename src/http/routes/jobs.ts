/** `/api/jobs`: create, list, look at, cancel, retry. */
import { createRoute } from "@hono/zod-openapi";
import { z } from "zod";
import { EventList, EventQuery } from "../../contract/events.ts";
import {
  JobDetail,
  JobItemList,
  JobItemQuery,
  JobList,
  JobParams,
  JobQuery,
  NewJobAnswer,
  NewJobRequest,
} from "../../contract/jobs.ts";
import { explainRefusal, requireStorable } from "../../db/storable.ts";
import { DocmillError } from "../../errors.ts";
import type { Engine } from "../../jobs/engine.ts";
import { readJob, readJobEvents, readJobItems, readJobList } from "../../jobs/read-jobs.ts";
import { rescueBeforeReading } from "../../jobs/rescue-before-reading.ts";
import { limitBody } from "../limit-body.ts";
import { type App, jsonAnswer, refusing } from "../routing.ts";

const list = createRoute({
  method: "get",
  path: "/api/jobs",
  summary: "Jobs, newest first",
  request: { query: JobQuery },
  responses: { 200: jsonAnswer(JobList, "A page of jobs"), ...refusing(400) },
});

const create = createRoute({
  method: "post",
  path: "/api/jobs",
  summary: "Create a job",
  middleware: limitBody,
  request: {
    headers: z.object({
      "idempotency-key": z.string().min(1).max(255).optional().describe("The same key answers with the same job."),
    }),
    body: { required: true, content: { "application/json": { schema: NewJobRequest } } },
  },
  responses: {
    201: jsonAnswer(NewJobAnswer, "Created"),
    200: jsonAnswer(NewJobAnswer, "Created before, under the same Idempotency-Key"),
    ...refusing(400, 409, 413, 415, 422),
  },
});

const show = createRoute({
  method: "get",
  path: "/api/jobs/{id}",
  summary: "A job with its stages, items, errors, spend and why it waits",
  request: { params: JobParams },
  responses: { 200: jsonAnswer(JobDetail, "The job"), ...refusing(400, 404) },
});

const items = createRoute({
  method: "get",
  path: "/api/jobs/{id}/items",
  summary: "The items of a job that are done or have failed",
  request: { params: JobParams, query: JobItemQuery },
  responses: { 200: jsonAnswer(JobItemList, "A page of items"), ...refusing(400, 404) },
});

const events = createRoute({
  method: "get",
  path: "/api/jobs/{id}/events",
  summary: "The events of a job after a number",
  request: { params: JobParams, query: EventQuery },
  responses: { 200: jsonAnswer(EventList, "Events in order"), ...refusing(400, 404) },
});

const cancel = createRoute({
  method: "post",
  path: "/api/jobs/{id}/cancel",
  summary: "Cancel a job that is pending or running",
  request: { params: JobParams },
  responses: { 200: jsonAnswer(JobDetail, "The job afterwards"), ...refusing(400, 404, 409) },
});

const retry = createRoute({
  method: "post",
  path: "/api/jobs/{id}/retry",
  summary: "Try a failed or cancelled job again, from its first stage without a checkpoint",
  request: { params: JobParams },
  responses: { 200: jsonAnswer(JobDetail, "The job afterwards"), ...refusing(400, 404, 409) },
});

export function jobRoutes(app: App, engine: Engine): void {
  app.openapi(list, async (c) => c.json(await readJobList(engine, c.req.valid("query")), 200));

  app.openapi(create, async (c) => {
    const { kind, input, priority, delayMs } = c.req.valid("json");
    const idempotencyKey = c.req.valid("header")["idempotency-key"];
    const pipeline = engine.registry.get(kind);
    const { createdBy } = pipeline.options;
    if (createdBy !== undefined) {
      throw new DocmillError("UNKNOWN_KIND", `Jobs of kind "${kind}" are created by ${createdBy}, not by themselves.`);
    }
    requireStorable(input, "The input");
    const job = { pipeline, input, priority, delayMs };
    const enqueued = await engine.enqueue(job, { idempotencyKey }).catch((error: unknown) => {
      throw explainRefusal(error);
    });
    return c.json(enqueued, enqueued.created ? 201 : 200);
  });

  app.openapi(show, async (c) => c.json(await readJob(engine, c.req.valid("param").id), 200));
  app.openapi(items, async (c) =>
    c.json(await readJobItems(engine, c.req.valid("param").id, c.req.valid("query")), 200),
  );
  app.openapi(events, async (c) =>
    c.json(await readJobEvents(engine, c.req.valid("param").id, c.req.valid("query")), 200),
  );

  app.openapi(cancel, async (c) => {
    const { id } = c.req.valid("param");
    await engine.cancelJob(id);
    return c.json(await readJob(engine, id), 200);
  });

  app.openapi(retry, async (c) => {
    const { id } = c.req.valid("param");
    // A job that its dead worker has failed can be retried; one that is taken for running could not.
    await rescueBeforeReading(engine);
    await engine.retryJob(id);
    return c.json(await readJob(engine, id), 200);
  });
}
