/** `/api/samples`: documents, heat sheets and a book for those who have none of their own at hand. */
import { createRoute } from "@hono/zod-openapi";
import { StartedSamples } from "../../contract/system.ts";
import type { Samples } from "../../samples/samples.ts";
import { type App, jsonAnswer, refusing } from "../routing.ts";

const start = createRoute({
  method: "post",
  path: "/api/samples",
  summary: "Start the samples",
  description:
    "Each time anew: documents and a batch of heat sheets are processed, the pages of a book are read by OCR.",
  responses: { 200: jsonAnswer(StartedSamples, "Started; the work goes on in the background"), ...refusing() },
});

export function sampleRoutes(app: App, samples: Samples): void {
  app.openapi(start, async (c) => c.json(await samples.start(), 200));
}
