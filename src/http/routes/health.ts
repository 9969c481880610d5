/** `/healthz`: the process is alive. `/readyz`: it can do its work. */
import { createRoute } from "@hono/zod-openapi";
import { z } from "zod";
import { Readiness } from "../../contract/system.ts";
import { type ReadinessCheck, readReadiness } from "../readiness.ts";
import { type App, jsonAnswer } from "../routing.ts";

const healthz = createRoute({
  method: "get",
  path: "/healthz",
  summary: "Whether the process is alive",
  responses: { 200: jsonAnswer(z.object({ ok: z.literal(true) }), "It is") },
});

const readyz = createRoute({
  method: "get",
  path: "/readyz",
  summary: "Whether the server can do its work, with every check by name",
  responses: { 200: jsonAnswer(Readiness, "It can"), 503: jsonAnswer(Readiness, "It cannot") },
});

export function healthRoutes(app: App, checks: Record<string, ReadinessCheck>): void {
  app.openapi(healthz, (c) => c.json({ ok: true as const }, 200));
  app.openapi(readyz, async (c) => {
    const readiness = await readReadiness(checks);
    return c.json(readiness, readiness.ready ? 200 : 503);
  });
}
