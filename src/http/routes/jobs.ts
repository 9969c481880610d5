/** `/api/jobs`: create, list, look at, cancel, retry. */
import { explainRefusal, requireStorable } from "../../db/storable.ts";
import { DocmillError } from "../../errors.ts";
import type { Engine } from "../../jobs/engine.ts";
import { readJob, readJobEvents, readJobItems, readJobList } from "../../jobs/read-jobs.ts";
import { rescueBeforeReading } from "../../jobs/rescue-before-reading.ts";
import { routeOf } from "../operation-route.ts";
import type { App } from "../routing.ts";

export function jobRoutes(app: App, engine: Engine): void {
  app.openapi(routeOf("listJobs"), async (c) => c.json(await readJobList(engine, c.req.valid("query")), 200));

  app.openapi(routeOf("createJob"), async (c) => {
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

  app.openapi(routeOf("readJob"), async (c) => c.json(await readJob(engine, c.req.valid("param").id), 200));
  app.openapi(routeOf("listJobItems"), async (c) =>
    c.json(await readJobItems(engine, c.req.valid("param").id, c.req.valid("query")), 200),
  );
  app.openapi(routeOf("listJobEvents"), async (c) =>
    c.json(await readJobEvents(engine, c.req.valid("param").id, c.req.valid("query")), 200),
  );

  app.openapi(routeOf("cancelJob"), async (c) => {
    const { id } = c.req.valid("param");
    await engine.cancelJob(id);
    return c.json(await readJob(engine, id), 200);
  });

  app.openapi(routeOf("retryJob"), async (c) => {
    const { id } = c.req.valid("param");
    // A job that its dead worker has failed can be retried; one that is taken for running could not.
    await rescueBeforeReading(engine);
    await engine.retryJob(id);
    return c.json(await readJob(engine, id), 200);
  });
}
