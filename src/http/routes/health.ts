/** `/healthz`: the process is alive. `/readyz`: it can do its work. */
import { routeOf } from "../operation-route.ts";
import { type ReadinessCheck, readReadiness } from "../readiness.ts";
import type { App } from "../routing.ts";

export function healthRoutes(app: App, checks: Record<string, ReadinessCheck>): void {
  app.openapi(routeOf("checkHealth"), (c) => c.json({ ok: true as const }, 200));
  app.openapi(routeOf("checkReadiness"), async (c) => {
    const readiness = await readReadiness(checks);
    return c.json(readiness, readiness.ready ? 200 : 503);
  });
}
