/** `/api/workers`: who runs jobs. */
import { createRoute } from "@hono/zod-openapi";
import { WorkerList } from "../../contract/system.ts";
import type { Engine } from "../../jobs/engine.ts";
import { readWorkers } from "../../jobs/read-workers.ts";
import { type App, jsonAnswer, refusing } from "../routing.ts";

const workers = createRoute({
  method: "get",
  path: "/api/workers",
  summary: "Worker processes: live, stopping and recently lost",
  responses: { 200: jsonAnswer(WorkerList, "All of them"), ...refusing() },
});

export function workerRoutes(app: App, engine: Engine): void {
  app.openapi(workers, async (c) => c.json(await readWorkers(engine), 200));
}
