/** `/api/workers`: who runs jobs. */
import type { Engine } from "../../jobs/engine.ts";
import { readWorkers } from "../../jobs/read-workers.ts";
import { routeOf } from "../operation-route.ts";
import type { App } from "../routing.ts";

export function workerRoutes(app: App, engine: Engine): void {
  app.openapi(routeOf("listWorkers"), async (c) => c.json(await readWorkers(engine), 200));
}
