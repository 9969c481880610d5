/** What `/metrics` says after real jobs, requests and streams; of a server, and of a worker that serves nothing else. */
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { type IncomingMessage, request } from "node:http";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { createAccess } from "../../src/access/access.ts";
import type { Database } from "../../src/db/database.ts";
import { startMetricsServer } from "../../src/http/metrics-server.ts";
import { createQueueDepthReader } from "../../src/jobs/read-queue-depth.ts";
import { createMetrics, type Metrics } from "../../src/metrics/metrics.ts";
import { openGate } from "../fixtures/pipelines/http.ts";
import { runDocmill, spawnDocmill } from "../support/docmill-process.ts";
import { endProcess } from "../support/document-place.ts";
import { createGatedJob, gatedConfig } from "../support/gated-job.ts";
import { type HttpPlace, openHttpPlace } from "../support/http-place.ts";
import { type ReadMetrics, scrape } from "../support/read-metrics.ts";
import { silentLogger } from "../support/silent-logger.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";
import { createTestDatabase } from "../support/test-database.ts";
import { until } from "../support/until.ts";

describe("/metrics", () => {
  let place: HttpPlace;
  let metrics: Metrics;
  const read = (): Promise<ReadMetrics> => scrape(`${place.url}/metrics`);

  beforeAll(async () => {
    metrics = createMetrics();
    place = await openHttpPlace({ metrics, access: { keysRequired: false }, ratePerMinute: 100 });
  });
  afterAll(() => place.close());

  it("tells how many jobs wait, of which kind and for how long, before anyone runs them", async () => {
    metrics.watchQueue(createQueueDepthReader(place.engine));
    for (const n of [1, 2, 3]) await place.create("quick", { n });
    const seen = await read();
    expect(seen.value("docmill_queue_jobs", { kind: "quick", state: "pending" })).toBe(3);
    expect(seen.value("docmill_queue_jobs", { kind: "quick", state: "running" })).toBe(0);
    expect(seen.value("docmill_queue_jobs", { kind: "paid" })).toBe(0);
    expect(seen.value("docmill_queue_oldest_seconds", { kind: "quick" })).toBeGreaterThan(0);
    expect(seen.value("docmill_queue_oldest_seconds", { kind: "paid" })).toBe(0);
    expect(seen.value("docmill_jobs_created_total", { kind: "quick" })).toBe(3);
  });

  it("counts what workers do: claims, waits, runs, stages, failures, retries, paid calls", async () => {
    const quick = await place.create("quick", { n: 4 });
    const failing = await place.create("failing", { retryable: false });
    await place.create("failing", { retryable: true });
    const held = await place.create("held", { gate: "metrics" });
    const first = await place.create("paid", { question: "why?" });
    await place.startWorker();
    await place.untilState(quick, "completed");
    await place.untilState(failing, "failed");
    await place.untilState(first, "completed");
    await place.untilState(await place.create("paid", { question: "why?" }), "completed");
    await place.untilState(held, "running");
    await place.post(`/api/jobs/${held}/cancel`);

    const seen = await until(async () => {
      const now = await read();
      const runs = now.value("docmill_job_run_seconds_count");
      return runs === 9 && now;
    });
    expect(seen.value("docmill_jobs_ended_total", { kind: "quick", state: "completed" })).toBe(4);
    expect(seen.value("docmill_jobs_ended_total", { kind: "failing", state: "failed" })).toBe(1);
    expect(seen.value("docmill_jobs_ended_total", { kind: "held", state: "cancelled" })).toBe(1);
    expect(seen.value("docmill_job_wait_seconds_count", { kind: "quick" })).toBe(4);
    expect(seen.value("docmill_job_run_seconds_count", { kind: "quick", outcome: "completed" })).toBe(4);
    expect(seen.value("docmill_job_run_seconds_count", { kind: "failing", outcome: "retrying" })).toBe(1);
    expect(seen.value("docmill_job_run_seconds_count", { kind: "held", outcome: "cancelled" })).toBe(1);
    expect(seen.value("docmill_stage_seconds_count", { kind: "quick", stage: "double" })).toBe(4);
    expect(seen.value("docmill_job_failures_total", { kind: "failing", code: "ENCRYPTED_PDF" })).toBe(1);
    expect(seen.value("docmill_job_failures_total", { kind: "failing", code: "RATE_LIMIT" })).toBe(1);
    expect(seen.value("docmill_job_retries_total", { kind: "failing" })).toBe(1);
    expect(seen.value("docmill_claim_jobs_sum")).toBe(9);
    expect(seen.value("docmill_claim_seconds_count")).toBe(seen.value("docmill_claim_jobs_count"));
    const oracle = { provider: "test", model: "oracle" };
    expect(seen.value("docmill_paid_call_seconds_count", { ...oracle, outcome: "answered" })).toBe(1);
    expect(seen.value("docmill_ledger_hits_total", oracle)).toBe(1);
    expect(seen.value("docmill_tokens_total", { ...oracle, direction: "in" })).toBe(10);
    expect(seen.value("docmill_tokens_total", { ...oracle, direction: "out" })).toBe(3);
    expect(seen.value("docmill_paid_cost_total", oracle)).toBeCloseTo(0.0015);
  });

  it("tells of open streams, and of how late events reach who waits for them", async () => {
    const job = await place.create("held", { gate: "streamed" });
    const abort = new AbortController();
    const response = await fetch(`${place.url}/api/jobs/${job}/stream`, { signal: abort.signal });
    const events = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    await until(async () => (await read()).value("docmill_event_streams") === 1);
    openGate("streamed");
    for (let text = ""; !text.includes("job_completed"); ) text += (await events?.read())?.value ?? "";
    expect((await read()).value("docmill_event_lag_seconds_count")).toBeGreaterThan(0);
    abort.abort();
    await until(async () => (await read()).value("docmill_event_streams") === 0);
  });

  it("counts requests by the pattern of their route, whatever was asked for", async () => {
    const secret = "letmein-4711";
    await place.ask(`/api/jobs/${secret}`);
    await place.ask(`/api/${secret}`);
    await place.ask(`/${secret}.html?key=${secret}`);
    await place.ask("/healthz", { method: "OPTIONS" });
    await place.ask("/api/stats", { method: "DELETE" });
    const seen = await read();
    const routes = seen.labelValues("docmill_http_request_seconds_count", "route");
    expect([...routes]).toEqual(
      expect.arrayContaining(["/api/jobs", "/api/jobs/{id}", "/api/jobs/{id}/stream", "none"]),
    );
    expect(seen.value("docmill_http_request_seconds_count", { route: "/api/jobs/{id}", status: "400" })).toBe(1);
    expect(seen.text).not.toContain(secret);
  });

  it("counts requests that came too often", async () => {
    await until(async () => (await place.post("/api/jobs", { kind: "quick", input: { n: 1 } })).status === 429);
    expect((await read()).value("docmill_http_rate_limited_total")).toBe(1);
  });

  it("has names that begin alike, answers as Prometheus wants it, and is described", async () => {
    const { headers } = await place.ask("/metrics");
    expect(headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
    const seen = await read();
    expect([...seen.names].filter((name) => !/^docmill_[a-z0-9_]+$/.test(name))).toEqual([]);
    expect(seen.names).toContain("docmill_process_cpu_seconds_total");
    const { body } = await place.ask("/openapi.json");
    expect(body.paths["/metrics"].get.responses["200"].content).toHaveProperty("text/plain");
  });
});

describe("the depth of the queue", () => {
  it("is counted once for all who ask at the same time, and never from jobs that have ended", async () => {
    const statements: string[] = [];
    const watchDatabase = (db: Database): Database => ({
      ...db,
      query(statement) {
        statements.push(statement.compile().text);
        return db.query(statement);
      },
    });
    const metrics = createMetrics();
    await using place = await openHttpPlace({ metrics, watchDatabase });
    metrics.watchQueue(createQueueDepthReader(place.engine));
    await place.create("quick", { n: 1 });
    statements.length = 0;
    const seen = await Promise.all(Array.from({ length: 8 }, () => scrape(`${place.url}/metrics`)));
    expect(seen.map((one) => one.value("docmill_queue_jobs", { kind: "quick", state: "pending" }))).toEqual(
      Array(8).fill(1),
    );
    const counts = statements.filter((text) => text.includes("from jobs"));
    expect(counts).toHaveLength(1);
    expect(counts[0]).not.toMatch(/completed|failed|cancelled/);
  });

  it("is left out, and the rest is there, while the database is away", async () => {
    const metrics = createMetrics();
    metrics.watchQueue(() => Promise.reject(new Error("gone")));
    metrics.engine({ type: "lost" });
    const text = await metrics.expose();
    expect(text).toContain("docmill_leases_lost_total 1");
    expect(text).not.toContain("docmill_queue_jobs{");
  });
});

describe("a worker", () => {
  it("shows its metrics at a port of its own, and asks for keys where others could read them", async () => {
    const database = await createTestDatabase();
    const folder = await makeTemporaryFolder();
    onTestFinished(async () => {
      await database.drop();
      await rm(folder, { recursive: true });
    });
    const env = { DATABASE_URL: database.url, DOCMILL_METRICS_PORT: "0" };
    const open = await runDocmill(["worker"], { env: { ...env, DOCMILL_METRICS_HOST: "0.0.0.0" } });
    expect(open).toMatchObject({ code: 2, stderr: expect.stringContaining("keys create") });

    await using place = await openServing(database.url);
    const worker = spawnDocmill(["worker", "--config", gatedConfig], { env });
    onTestFinished(() => endProcess(worker));
    const [, url = ""] = await worker.says(/^metrics +(\S+)$/m);
    const job = await createGatedJob(place.url, folder, { items: [] });
    await job.reaches(place.url, ({ status }) => status === "completed");
    const seen = await until(async () => {
      const now = await scrape(url);
      return now.value("docmill_job_run_seconds_count", { kind: "gated", outcome: "completed" }) === 1 && now;
    });
    expect(seen.value("docmill_db_connections", { pool: "work" })).toBeGreaterThan(0);
    // Of all processes, and therefore told by those that serve.
    expect(seen.value("docmill_queue_jobs")).toBeUndefined();
    const other = await fetch(new URL("/api/jobs", url));
    expect(other.status).toBe(404);
    const rebound = request(url, { headers: { host: "evil.example" } }).end();
    const [{ statusCode }] = (await once(rebound, "response")) as [IncomingMessage];
    expect(statusCode).toBe(421);
    worker.kill("SIGTERM");
    expect(await worker.ended).toMatchObject({ code: 0 });
  });
});

it("a server of metrics alone lets in who has a key to read, where keys are asked for", async () => {
  const { db, drop } = await createTestDatabase();
  const access = createAccess({ db, logger: silentLogger, keysRequired: true, sessionHours: 1 });
  const options = { metrics: createMetrics(), access, logger: silentLogger, host: "127.0.0.1", port: 0 };
  const server = await startMetricsServer(options);
  onTestFinished(async () => {
    await server.close();
    await drop();
  });
  const { key } = await access.createKey({ name: "prometheus", scope: "read" });
  const ask = async (path: string, authorization?: string) =>
    (await fetch(server.url + path, { headers: authorization ? { authorization } : {} })).status;
  expect(await ask("/metrics")).toBe(401);
  expect(await ask("/metrics", `Bearer ${key}x`)).toBe(401);
  expect(await ask("/metrics", `Bearer ${key}`)).toBe(200);
  expect(await ask("/healthz")).toBe(200);
});

async function openServing(databaseUrl: string) {
  const server = spawnDocmill(["serve", "--port", "0", "--no-workers", "--config", gatedConfig], {
    env: { DATABASE_URL: databaseUrl },
  });
  const [, url = ""] = await server.says(/ready at (\S+)/);
  return {
    url,
    async [Symbol.asyncDispose]() {
      server.kill("SIGTERM");
      await server.ended;
    },
  };
}
