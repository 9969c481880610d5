/** `/api/results/:code` and `/api/discover-heatsheets`: what is shared of one sheet, and where a meet's sheets are found. */
import { discoverSheets } from "../../pipelines/heats/discover-sheets.ts";
import type { Heats } from "../../pipelines/heats/heats.ts";
import { readSharedResult } from "../../pipelines/heats/read-batches.ts";
import { routeOf } from "../operation-route.ts";
import type { App } from "../routing.ts";

export function sharedResultRoutes(app: App, { services }: Heats): void {
  const { db, limits } = services;
  app.openapi(routeOf("readSharedResult"), async (c) => {
    // A HEAD is a program that looks whether the link works, not somebody who sees it.
    const counts = c.req.method === "GET";
    return c.json(await readSharedResult(db, c.req.valid("param").code, counts), 200);
  });
  app.openapi(routeOf("discoverSheets"), async (c) => {
    const { fetchAllow: allow, fetchTimeoutMs: timeoutMs } = limits;
    const { signal } = c.req.raw;
    const pdfs = await discoverSheets(c.req.valid("json").url, { allow, timeoutMs, signal });
    return c.json({ success: true as const, pdfs }, 200);
  });
}
