/**
 * Stands around everything that answers a request: gives it an id, measures it, traces it, and writes a line about it. Only
 * the pattern of its route is told on; the path itself may hold what is nobody's business.
 */
import { randomUUID } from "node:crypto";
import type { Context, MiddlewareHandler } from "hono";
import { matchedRoutes } from "hono/route";
import type { Logger } from "../logger.ts";
import type { HttpMetrics } from "../metrics/http-metrics.ts";
import type { Traces } from "../traces/traces.ts";

export interface RequestObservers {
  metrics?: HttpMetrics;
  traces?: Traces;
  logger: Logger;
}

/** An upload takes as long as its sender does; anything else that takes so long should not. */
const slowMs = 10_000;

export function observeRequests({ metrics, traces, logger }: RequestObservers): MiddlewareHandler {
  return async (c, next) => {
    const requestId = randomUUID();
    c.set("requestId", requestId);
    const { method } = c.req;
    const startedAt = performance.now();
    const answer = async () => {
      await next();
      const { status } = c.res;
      const ms = performance.now() - startedAt;
      const request = { method, route: routeOf(c), status, ms };
      c.header("x-request-id", requestId);
      metrics?.answered(request);
      const fields = { requestId, ...request, ms: Math.round(ms) };
      if (ms >= slowMs && !isUpload(c)) logger.warn(fields, "slow request");
      else logger.debug(fields, "request answered");
      return request;
    };
    const traceparent = c.req.header("traceparent");
    await (traces ? traces.request({ method, requestId, traceparent }, answer) : answer());
  };
}

function isUpload({ req }: Context): boolean {
  return req.header("content-type")?.startsWith("multipart/") ?? false;
}

/** As the API is described: `/api/jobs/{id}`. Pages and files of the web UI are one, and so is what there is none for. */
function routeOf(c: Context): string {
  const routes = matchedRoutes(c).filter(({ method }) => method !== "ALL");
  const own = routes.find(({ path }) => !path.includes("*"));
  if (own) return own.path.replace(/:(\w+)(\{[^}]*\})?/g, "{$1}");
  return routes.length > 0 && c.res.status < 400 ? "web" : "none";
}
