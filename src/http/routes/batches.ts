/** `/api/batch`: start a batch of heat sheets for a swimmer, list them, look at one, cancel it, try again, be told when it is done. */
import { createRoute } from "@hono/zod-openapi";
import type { Context } from "hono";
import { z } from "zod";
import {
  BatchCreated,
  BatchDetail,
  BatchJobParams,
  BatchList,
  BatchParams,
  BatchQuery,
  BatchResults,
  CalendarQuery,
  CancelledBatch,
  NotifyAnswer,
  NotifyRequest,
  RetriedBatch,
  Succeeded,
} from "../../contract/batches.ts";
import { writeCalendar } from "../../heatsheets/write-calendar.ts";
import type { Engine } from "../../jobs/engine.ts";
import { readPace } from "../../jobs/read-stats.ts";
import { rescueBeforeReading } from "../../jobs/rescue-before-reading.ts";
import { estimateTime } from "../../pipelines/heats/estimate-time.ts";
import type { Heats } from "../../pipelines/heats/heats.ts";
import { readBatch, readBatchList, readBatchResults } from "../../pipelines/heats/read-batches.ts";
import { invalidRequest } from "../errors.ts";
import { limitBody } from "../limit-body.ts";
import { type App, jsonAnswer, refusingBatch } from "../routing.ts";
import { requireEmail, takeBatch } from "../uploads/take-batch.ts";

const Headers = z.object({
  "idempotency-key": z.string().min(1).max(255).optional().describe("The same key answers with the same batch."),
});
const Query = z.object({
  extractor: z
    .enum(["auto", "ai"])
    .default("auto")
    .describe("`ai` has a language model read the sheets, where the server has one."),
});

const extract = {
  method: "post",
  path: "/api/batch/extract",
  summary: "Find a swimmer's events in many heat sheets",
  description: "Answers at once; the work goes on in the background and can be watched at `streamUrl`.",
  request: {
    headers: Headers,
    query: Query,
    body: {
      required: true,
      content: {
        "multipart/form-data": {
          schema: z.object({
            swimmer: z
              .string()
              .describe('The swimmer\'s name: "First Last" or "Last, First"; "(team)" or "(age)" may follow.'),
            pdfs: z
              .array(z.string().meta({ format: "binary" }))
              .optional()
              .describe("Heat sheets as PDF files."),
            urls: z.string().optional().describe("Heat sheets to be fetched: a JSON array of URLs."),
            notifyEmail: z.string().optional().describe("Gets a message when the batch has ended."),
          }),
        },
      },
    },
  },
  responses: { 200: jsonAnswer(BatchCreated, "Taken"), ...refusingBatch(400, 413, 415, 422) },
} as const;

const list = createRoute({
  method: "get",
  path: "/api/batch",
  summary: "Batches, newest first; those that have expired are left out",
  request: { query: BatchQuery },
  responses: { 200: jsonAnswer(BatchList, "A page of batches"), ...refusingBatch(400) },
});

const show = createRoute({
  method: "get",
  path: "/api/batch/{id}",
  summary: "A batch with its sheets",
  request: { params: BatchParams },
  responses: { 200: jsonAnswer(BatchDetail, "The batch"), ...refusingBatch(404) },
});

const results = createRoute({
  method: "get",
  path: "/api/batch/{id}/results",
  summary: "The swimmer's schedule from all sheets read so far",
  request: { params: BatchParams },
  responses: { 200: jsonAnswer(BatchResults, "What there is"), ...refusingBatch(404) },
});

const calendar = createRoute({
  method: "get",
  path: "/api/batch/{id}/calendar.ics",
  summary: "The schedule as iCalendar, with alarms",
  request: { params: BatchParams, query: CalendarQuery },
  responses: {
    200: { description: "The calendar", content: { "text/calendar": { schema: z.string() } } },
    ...refusingBatch(400, 404),
  },
});

const cancel = createRoute({
  method: "post",
  path: "/api/batch/{id}/cancel",
  summary: "Cancel a batch: what waits and what runs",
  request: { params: BatchParams },
  responses: { 200: jsonAnswer(CancelledBatch, "Cancelled"), ...refusingBatch(404) },
});

const retry = createRoute({
  method: "post",
  path: "/api/batch/{id}/retry",
  summary: "Try all sheets again that failed or were cancelled",
  request: { params: BatchParams },
  responses: { 200: jsonAnswer(RetriedBatch, "Started again"), ...refusingBatch(404) },
});

const retryJob = createRoute({
  method: "post",
  path: "/api/batch/{id}/jobs/{jobId}/retry",
  summary: "Try one failed sheet again",
  request: { params: BatchJobParams },
  responses: { 200: jsonAnswer(Succeeded, "Started again"), ...refusingBatch(404, 409) },
});

const notify = createRoute({
  method: "post",
  path: "/api/batch/{id}/notify",
  summary: "Send a message when the batch has ended, or now if it has",
  middleware: limitBody,
  request: {
    params: BatchParams,
    body: { required: true, content: { "application/json": { schema: NotifyRequest } } },
  },
  responses: { 200: jsonAnswer(NotifyAnswer, "It will be sent"), ...refusingBatch(400, 404, 413, 415, 422) },
});

const noMailServer = "This server has no mail server yet (DOCMILL_SMTP_URL): the message waits as a failed job.";

function noticeOf(status: string): string | undefined {
  if (status !== "cancelled") return undefined;
  return "The batch was cancelled: the message is sent when it has been started again and has ended.";
}

export function batchRoutes(app: App, engine: Engine, heats: Heats): void {
  const { services, actions, pipelines } = heats;
  const { db } = services;

  // Its body is read from the connection as it comes: the framework would gather it in memory first.
  app.openAPIRegistry.registerPath(extract);
  app.post("/api/batch/extract", async (c: Context) => {
    const headers = Headers.safeParse({ "idempotency-key": c.req.header("idempotency-key") });
    if (!headers.success) throw invalidRequest("header", headers.error);
    const query = Query.safeParse({ extractor: c.req.query("extractor") });
    if (!query.success) throw invalidRequest("query", query.error);
    const request = { ...query.data, idempotencyKey: headers.data["idempotency-key"] };
    const { id, totalJobs } = await takeBatch(c.env.incoming, heats, request);
    const pace = await readPace(engine, pipelines.sheet.kind);
    const estimatedTime = estimateTime(totalJobs, services.limits.perBatch, pace);
    const streamUrl = `/api/batch/${id}/stream`;
    return c.json({ success: true, batchId: id, totalJobs, streamUrl, estimatedTime } satisfies BatchCreated, 200);
  });

  app.openapi(list, async (c) => {
    await rescueBeforeReading(engine);
    return c.json(await readBatchList(db, c.req.valid("query")), 200);
  });
  app.openapi(show, async (c) => {
    await rescueBeforeReading(engine);
    return c.json(await readBatch(db, c.req.valid("param").id), 200);
  });
  app.openapi(results, async (c) => c.json(await readBatchResults(db, c.req.valid("param").id), 200));
  app.openapi(calendar, async (c) => {
    const { id } = c.req.valid("param");
    const { swimmerName, events } = await readBatchResults(db, id);
    const alarmMinutes = Number(c.req.valid("query").alarm);
    const text = writeCalendar({ swimmerName, events, alarmMinutes, now: new Date(), calendarId: id });
    return c.body(text, 200, {
      "content-type": "text/calendar; charset=utf-8",
      "content-disposition": 'attachment; filename="schedule.ics"',
    });
  });

  app.openapi(cancel, async (c) => {
    const cancelledJobs = await actions.cancel(c.req.valid("param").id);
    return c.json({ success: true as const, cancelledJobs }, 200);
  });
  app.openapi(retry, async (c) => {
    // A sheet that its dead worker has failed can be retried; one that is taken for running could not.
    await rescueBeforeReading(engine);
    return c.json({ success: true as const, retriedJobs: await actions.retry(c.req.valid("param").id) }, 200);
  });
  app.openapi(retryJob, async (c) => {
    const { id, jobId } = c.req.valid("param");
    await rescueBeforeReading(engine);
    await actions.retryJob(id, jobId);
    return c.json({ success: true as const }, 200);
  });
  app.openapi(notify, async (c) => {
    const { id } = c.req.valid("param");
    await actions.notify(id, requireEmail(c.req.valid("json").email.trim()));
    const notice = services.mailer ? noticeOf((await readBatch(db, id)).batch.status) : noMailServer;
    return c.json({ success: true as const, ...(notice !== undefined && { notice }) }, 200);
  });
}
