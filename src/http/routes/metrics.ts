/** `/metrics`: what Prometheus scrapes. */
import type { Metrics } from "../../metrics/metrics.ts";
import { routeOf } from "../operation-route.ts";
import type { App } from "../routing.ts";

export function metricsRoutes(app: App, metrics: Metrics): void {
  app.openapi(routeOf("readMetrics"), async (c) => {
    const text = await metrics.expose();
    return c.body(text, 200, { "content-type": metrics.contentType, "cache-control": "no-store" }) as never;
  });
}
