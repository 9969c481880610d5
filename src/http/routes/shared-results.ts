/** `/api/results/:code` and `/api/discover-heatsheets`: what is shared of one sheet, and where a meet's sheets are found. */
import { createRoute } from "@hono/zod-openapi";
import { DiscoveredSheets, DiscoverRequest, ResultParams, SharedResult } from "../../contract/batches.ts";
import { discoverSheets } from "../../pipelines/heats/discover-sheets.ts";
import type { Heats } from "../../pipelines/heats/heats.ts";
import { readSharedResult } from "../../pipelines/heats/read-batches.ts";
import { limitBody } from "../limit-body.ts";
import { type App, jsonAnswer, refusingBatch } from "../routing.ts";

const shared = createRoute({
  method: "get",
  path: "/api/results/{code}",
  summary: "What one sheet had for a swimmer, by the code it is shared under",
  request: { params: ResultParams },
  responses: { 200: jsonAnswer(SharedResult, "The result"), ...refusingBatch(404) },
});

const discover = createRoute({
  method: "post",
  path: "/api/discover-heatsheets",
  summary: "The PDFs that a meet's web page links to",
  middleware: limitBody,
  request: { body: { required: true, content: { "application/json": { schema: DiscoverRequest } } } },
  responses: { 200: jsonAnswer(DiscoveredSheets, "The links"), ...refusingBatch(400, 403, 404, 413, 415, 422) },
});

export function sharedResultRoutes(app: App, { services }: Heats): void {
  const { db, limits } = services;
  app.openapi(shared, async (c) => {
    // A HEAD is a program that looks whether the link works, not somebody who sees it.
    const counts = c.req.method === "GET";
    return c.json(await readSharedResult(db, c.req.valid("param").code, counts), 200);
  });
  app.openapi(discover, async (c) => {
    const { fetchAllow: allow, fetchTimeoutMs: timeoutMs } = limits;
    const { signal } = c.req.raw;
    const pdfs = await discoverSheets(c.req.valid("json").url, { allow, timeoutMs, signal });
    return c.json({ success: true as const, pdfs }, 200);
  });
}
