/** The operations that tell of the server itself, and the one that starts samples. */
import { z } from "zod";
import { idempotencyKey, json, news, type Operation, text } from "./operation.ts";
import { Activity, Health, Readiness, StartedSamples, Stats, SystemInfo, WorkerList } from "./system.ts";

export const systemOperations = {
  checkHealth: {
    method: "get",
    path: "/healthz",
    tag: "System",
    summary: "Whether the process is alive",
    answers: { 200: json(Health, "It is") },
    refuses: [],
  },
  checkReadiness: {
    method: "get",
    path: "/readyz",
    tag: "System",
    summary: "Whether the server can do its work, with every check by name",
    answers: { 200: json(Readiness, "It can"), 503: json(Readiness, "It cannot") },
    refuses: [],
  },
  readMetrics: {
    method: "get",
    path: "/metrics",
    tag: "System",
    summary: "What this process has done and is doing, in the text format of Prometheus",
    answers: {
      200: text("text/plain", "Numbers of this process; those that begin with docmill_queue_ are of all of them"),
    },
    refuses: [],
  },
  readStats: {
    method: "get",
    path: "/api/stats",
    tag: "System",
    summary: "Counts of jobs, batches and workers",
    answers: { 200: json(Stats, "As of a few seconds ago at most, on large tables") },
    refuses: [],
  },
  listWorkers: {
    method: "get",
    path: "/api/workers",
    tag: "System",
    summary: "Worker processes: live, stopping and recently lost",
    answers: { 200: json(WorkerList, "All of them") },
    refuses: [],
  },
  readSystem: {
    method: "get",
    path: "/api/system",
    tag: "System",
    summary: "Version, providers in use with what others would add, and all settings without secrets",
    answers: { 200: json(SystemInfo, "As the process was started") },
    refuses: [],
  },
  watchActivity: {
    method: "get",
    path: "/api/stream",
    tag: "System",
    summary: "What goes on in the whole server, as server-sent events",
    description:
      "`activity`: the counts of /api/stats, the jobs that have changed as /api/jobs gives them, and whether these are all " +
      "(`complete`); at once, and then whenever something has changed, at most once a second. `workers`: what /api/workers " +
      "gives, at once and whenever it has changed. Nothing is replayed: whoever comes back gets the present, and where " +
      "`complete` is false asks again for the lists it shows.",
    answers: { 200: news({ activity: Activity, workers: WorkerList }, "The stream") },
    refuses: [],
  },
  startSamples: {
    method: "post",
    path: "/api/samples",
    tag: "System",
    summary: "Start the samples",
    description:
      "Documents and a batch of heat sheets are processed, the pages of a book are read by OCR; anew each time, unless it " +
      "comes under the same key. What was interrupted under a key goes on when it comes again.",
    headers: idempotencyKey("samples", 200),
    answers: { 200: json(StartedSamples, "Started; the work goes on in the background") },
    refuses: [400, 404, 409],
  },
  readApiDescription: {
    method: "get",
    path: "/openapi.json",
    tag: "System",
    summary: "This description",
    answers: { 200: json(z.record(z.string(), z.unknown()), "OpenAPI 3.1") },
    refuses: [],
  },
  showApiDescription: {
    method: "get",
    path: "/docs",
    tag: "System",
    summary: "This description as a page, where everything can be tried out",
    answers: { 200: text("text/html", "The page"), 503: text("text/html", "The pages have not been built") },
    refuses: [404],
  },
} as const satisfies Record<string, Operation>;
