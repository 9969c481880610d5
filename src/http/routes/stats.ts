/** `/api/stats`: how much there is of everything. */
import { createRoute } from "@hono/zod-openapi";
import { Stats } from "../../contract/system.ts";
import { type App, jsonAnswer, refusing } from "../routing.ts";

const stats = createRoute({
  method: "get",
  path: "/api/stats",
  summary: "Counts of jobs, batches and workers",
  responses: { 200: jsonAnswer(Stats, "As of a few seconds ago at most, on large tables"), ...refusing() },
});

export function statsRoutes(app: App, readStats: () => Promise<Stats>): void {
  app.openapi(stats, async (c) => c.json(await readStats(), 200));
}
