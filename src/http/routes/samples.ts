/** `/api/samples`: documents, heat sheets and a book for those who have none of their own at hand. */
import type { Samples } from "../../samples/samples.ts";
import { routeOf } from "../operation-route.ts";
import type { App } from "../routing.ts";

export function sampleRoutes(app: App, samples: Samples): void {
  app.openapi(routeOf("startSamples"), async (c) =>
    c.json(await samples.start(c.req.valid("header")["idempotency-key"]), 200),
  );
}
