/** Requests and event streams of the HTTP server, counted. */
import { Counter, Gauge, Histogram, type Registry } from "prom-client";
import { answerBuckets } from "./buckets.ts";

interface AnsweredRequest {
  method: string;
  /** The pattern of the route, never the path that was asked for. */
  route: string;
  status: number;
  ms: number;
}

export interface HttpMetrics {
  answered(request: AnsweredRequest): void;
  streamOpened(): void;
  streamClosed(): void;
  /** An event has left for a reader, so long after it was written. */
  eventSent(lagMs: number): void;
}

const methods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);
const tooMany = 429;

export function createHttpMetrics(registry: Registry): HttpMetrics {
  const registers = [registry];
  const requests = new Histogram({
    name: "docmill_http_request_seconds",
    help: "Requests, until their answer began, by method, pattern of the route and status.",
    labelNames: ["method", "route", "status"],
    buckets: answerBuckets,
    registers,
  });
  const rateLimited = new Counter({
    name: "docmill_http_rate_limited_total",
    help: "Requests that were refused because there were too many (429).",
    registers,
  });
  const streams = new Gauge({
    name: "docmill_event_streams",
    help: "Event streams that are open.",
    registers,
  });
  const lag = new Histogram({
    name: "docmill_event_lag_seconds",
    help: "From when an event was written to when it left for a reader who was waiting for it.",
    buckets: answerBuckets,
    registers,
  });
  return {
    answered({ method, route, status, ms }) {
      requests.observe({ method: methods.has(method) ? method : "other", route, status }, ms / 1000);
      if (status === tooMany) rateLimited.inc();
    },
    streamOpened: () => streams.inc(),
    streamClosed: () => streams.dec(),
    // The database has written the time, and its clock need not be ours.
    eventSent: (lagMs) => lag.observe(Math.max(0, lagMs) / 1000),
  };
}
