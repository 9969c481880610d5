/** `/api/batch`: start a batch of heat sheets for a swimmer, list them, look at one, cancel it, try again, be told when it is done. */
import type { BatchCreated } from "../../contract/batches.ts";
import { operations } from "../../contract/operations.ts";
import { writeCalendar } from "../../heatsheets/write-calendar.ts";
import type { Engine } from "../../jobs/engine.ts";
import { readPace } from "../../jobs/read-stats.ts";
import { rescueBeforeReading } from "../../jobs/rescue-before-reading.ts";
import { estimateTime } from "../../pipelines/heats/estimate-time.ts";
import type { Heats } from "../../pipelines/heats/heats.ts";
import { findBatch } from "../../pipelines/heats/queries/find-batch.ts";
import { readBatchList, readBatchResults } from "../../pipelines/heats/read-batches.ts";
import type { BatchReader } from "../batch-reader.ts";
import { readHeaders, readQuery, routeOf, takeUpload } from "../operation-route.ts";
import type { App } from "../routing.ts";
import { requireEmail, takeBatch } from "../uploads/take-batch.ts";

const noMailServer = "This server has no mail server yet (DOCMILL_SMTP_URL): the message waits as a failed job.";

function noticeOf(status: string): string | undefined {
  if (status !== "cancelled") return undefined;
  return "The batch was cancelled: the message is sent when it has been started again and has ended.";
}

export function batchRoutes(app: App, engine: Engine, heats: Heats, readBatch: BatchReader): void {
  const { services, actions, pipelines } = heats;
  const { db } = services;

  takeUpload(app, "createBatch", async (c) => {
    const { headers, query } = operations.createBatch;
    const { "idempotency-key": idempotencyKey } = readHeaders(c, headers);
    const request = { ...readQuery(c, query), idempotencyKey };
    const { id, totalJobs } = await takeBatch(c.env.incoming, heats, request);
    const pace = await readPace(engine, pipelines.sheet.kind);
    const estimatedTime = estimateTime(totalJobs, services.limits.perBatch, pace);
    const streamUrl = `/api/batch/${id}/stream`;
    return c.json({ success: true, batchId: id, totalJobs, streamUrl, estimatedTime } satisfies BatchCreated, 200);
  });

  app.openapi(routeOf("listBatches"), async (c) => {
    await rescueBeforeReading(engine);
    return c.json(await readBatchList(db, c.req.valid("query")), 200);
  });
  app.openapi(routeOf("readBatch"), async (c) => c.json(await readBatch(c.req.valid("param").id), 200));
  app.openapi(routeOf("readBatchResults"), async (c) =>
    c.json(await readBatchResults(db, c.req.valid("param").id), 200),
  );
  app.openapi(routeOf("readBatchCalendar"), async (c) => {
    const { id } = c.req.valid("param");
    const { swimmerName, events } = await readBatchResults(db, id);
    const alarmMinutes = Number(c.req.valid("query").alarm);
    const text = writeCalendar({ swimmerName, events, alarmMinutes, now: new Date(), calendarId: id });
    return c.body(text, 200, {
      "content-type": "text/calendar; charset=utf-8",
      "content-disposition": 'attachment; filename="schedule.ics"',
    });
  });

  app.openapi(routeOf("cancelBatch"), async (c) => {
    const cancelledJobs = await actions.cancel(c.req.valid("param").id);
    return c.json({ success: true as const, cancelledJobs }, 200);
  });
  app.openapi(routeOf("retryBatch"), async (c) => {
    // A sheet that its dead worker has failed can be retried; one that is taken for running could not.
    await rescueBeforeReading(engine);
    return c.json({ success: true as const, retriedJobs: await actions.retry(c.req.valid("param").id) }, 200);
  });
  app.openapi(routeOf("retryBatchJob"), async (c) => {
    const { id, jobId } = c.req.valid("param");
    await rescueBeforeReading(engine);
    await actions.retryJob(id, jobId);
    return c.json({ success: true as const }, 200);
  });
  app.openapi(routeOf("notifyOfBatch"), async (c) => {
    const { id } = c.req.valid("param");
    await actions.notify(id, requireEmail(c.req.valid("json").email.trim()));
    const notice = services.mailer ? noticeOf((await findBatch(db, id)).status) : noMailServer;
    return c.json({ success: true as const, ...(notice !== undefined && { notice }) }, 200);
  });
}
