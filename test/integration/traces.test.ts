/** Traces as a receiver gets them: over the wire, from requests and jobs that really ran. */
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { createLogger } from "../../src/logger.ts";
import { openTraces, type Traces } from "../../src/traces/traces.ts";
import { spawnDocmill, startServe } from "../support/docmill-process.ts";
import { endProcess } from "../support/document-place.ts";
import { findClosedPort } from "../support/find-closed-port.ts";
import { createGatedJob, gatedConfig } from "../support/gated-job.ts";
import { type HttpPlace, openHttpPlace } from "../support/http-place.ts";
import { silentLogger } from "../support/silent-logger.ts";
import { makeTemporaryFolder, removeTemporaryFolder } from "../support/temporary-folder.ts";
import { createTestDatabase } from "../support/test-database.ts";
import { type ReceivedSpan, startTraceReceiver, type TraceReceiver } from "../support/trace-receiver.ts";

const failed = 2;
const [ofServer, ofClient, ofConsumer] = [2, 3, 5];
const traceOf = (jobId: string) => jobId.replaceAll("-", "");

describe("traces", () => {
  let receiver: TraceReceiver;
  let traces: Traces;
  let place: HttpPlace;

  beforeAll(async () => {
    receiver = await startTraceReceiver();
    const settings = { otlpEndpoint: `${receiver.url}/`, otlpHeaders: "x-token=a%20b,other=1", serviceName: "mill" };
    traces = (await openTraces(settings, { version: "1.2.3", logger: silentLogger, gatherMs: 20 })) as Traces;
    place = await openHttpPlace({ traces });
    await place.startWorker();
  });
  afterAll(async () => {
    await place.close();
    await traces.close();
    await receiver[Symbol.asyncDispose]();
  });

  const spanOf = (jobId: string, name: string): Promise<ReceivedSpan> =>
    receiver.received((span) => span.traceId === traceOf(jobId) && span.name === name);

  it("join a request to the caller's trace, and point from it to the job it created", async () => {
    const caller = { traceId: "4bf92f3577b34da6a3ce929d0e0e4736", spanId: "00f067aa0ba902b7" };
    const { body, headers } = await place.post(
      "/api/jobs",
      { kind: "quick", input: { n: 1 } },
      { traceparent: `00-${caller.traceId}-${caller.spanId}-01` },
    );
    const request = await receiver.received((span) => span.traceId === caller.traceId);
    expect(request).toMatchObject({ name: "POST /api/jobs", kind: ofServer, parentSpanId: caller.spanId });
    expect(request.attributes).toMatchObject({
      "http.request.method": "POST",
      "http.route": "/api/jobs",
      "http.response.status_code": 201,
      "docmill.request_id": headers.get("x-request-id"),
    });
    const run = await spanOf(body.id, "job quick");
    expect(run.parentSpanId).toBeUndefined();
    expect(request.links).toMatchObject([{ traceId: run.traceId, spanId: run.spanId }]);
  });

  it("show a run with its stages and paid calls", async () => {
    const id = await place.create("paid", { question: "traced?" });
    const run = await spanOf(id, "job paid");
    const stage = await spanOf(id, "stage ask");
    const call = await spanOf(id, "call test");
    expect(run).toMatchObject({ kind: ofConsumer, status: {} });
    expect(run.attributes).toMatchObject({
      "docmill.job_id": id,
      "docmill.job_kind": "paid",
      "docmill.attempt": 1,
      "docmill.outcome": "completed",
    });
    expect(stage).toMatchObject({ parentSpanId: run.spanId, attributes: { "docmill.stage": "ask" } });
    expect(call).toMatchObject({ kind: ofClient, parentSpanId: stage.spanId });
    expect(call.attributes).toMatchObject({ "gen_ai.request.model": "oracle", "gen_ai.usage.input_tokens": 10 });
    const again = await place.create("paid", { question: "traced?" });
    expect((await spanOf(again, "stage ask")).events).toEqual(["ledger hit"]);
  });

  it("tell of an error its code, and nothing that a message may hold", async () => {
    const id = await place.create("failing", { retryable: false });
    for (const name of ["job failing", "stage fail"]) {
      const span = await spanOf(id, name);
      expect(span.status).toEqual({ code: failed, message: "ENCRYPTED_PDF" });
      expect(span.attributes["error.type"]).toBe("ENCRYPTED_PDF");
    }
    expect(JSON.stringify(receiver.spans)).not.toContain("The file is encrypted");
  });

  it("keep all attempts of a job in one trace", async () => {
    const id = await place.create("failing", { retryable: false });
    await place.untilState(id, "failed");
    await place.post(`/api/jobs/${id}/retry`);
    const runs = () => receiver.spans.filter(({ traceId, name }) => traceId === traceOf(id) && name === "job failing");
    await receiver.received(() => runs().length === 2);
    expect(runs().map(({ attributes }) => attributes["docmill.lease"])).toEqual([1, 3]);
    expect(new Set(runs().map(({ spanId }) => spanId)).size).toBe(2);
  });

  it("are not kept where the caller says so", async () => {
    const traceId = "11111111111111111111111111111111";
    await place.ask("/healthz", { headers: { traceparent: `00-${traceId}-2222222222222222-00` } });
    const { headers } = await place.ask("/healthz");
    await receiver.received(({ attributes }) => attributes["docmill.request_id"] === headers.get("x-request-id"));
    expect(receiver.spans.some((span) => span.traceId === traceId)).toBe(false);
  });

  it("go to /v1/traces, with the headers and the name that are set", async () => {
    await receiver.received(() => true);
    expect(receiver.requests[0]).toMatchObject({ path: "/v1/traces", headers: { "x-token": "a b", other: "1" } });
    expect(receiver.resources[0]).toMatchObject({ "service.name": "mill", "service.version": "1.2.3" });
  });
});

describe("processes", () => {
  it("send what they have when they stop, and a job's trace is one though several had a part in it", async () => {
    await using receiver = await startTraceReceiver();
    const database = await createTestDatabase();
    const folder = await makeTemporaryFolder();
    onTestFinished(async () => {
      await database.drop();
      await removeTemporaryFolder(folder);
    });
    const env = {
      DATABASE_URL: database.url,
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${receiver.url}/here`,
      OTEL_SERVICE_NAME: "server",
    };
    const { server, url } = await startServe(["--port", "0", "--no-workers", "--config", gatedConfig], { env });
    const worker = spawnDocmill(["worker", "--config", gatedConfig], { env: { ...env, OTEL_SERVICE_NAME: "worker" } });
    onTestFinished(async () => {
      await Promise.all([worker, server].map(endProcess));
    });
    const job = await createGatedJob(url, folder, { items: [] });
    await job.reaches(url, ({ status }) => status === "completed");
    for (const one of [worker, server]) {
      one.kill("SIGTERM");
      expect(await one.ended).toMatchObject({ code: 0 });
    }
    const request = receiver.spans.find(({ name }) => name === "POST /api/jobs");
    const run = receiver.spans.find(({ name }) => name === "job gated");
    expect(run?.traceId).toBe(traceOf(job.id));
    expect(request?.links).toMatchObject([{ traceId: run?.traceId, spanId: run?.spanId }]);
    expect(receiver.resources.map((resource) => resource["service.name"])).toEqual(
      expect.arrayContaining(["server", "worker"]),
    );
    expect(new Set(receiver.requests.map(({ path }) => path))).toEqual(new Set(["/here"]));
  });

  it("lose nothing but the traces to a receiver that is not there, and say so once", async () => {
    const port = await findClosedPort();
    const lines: Record<string, unknown>[] = [];
    const destination = { write: (line: string) => void lines.push(JSON.parse(line)) };
    const logger = createLogger({ level: "warn", destination });
    const settings = { otlpEndpoint: `http://127.0.0.1:${port}`, otlpHeaders: "token=hush-4711", serviceName: "mill" };
    const traces = (await openTraces(settings, { version: "1", logger, gatherMs: 20 })) as Traces;
    await using place = await openHttpPlace({ traces });
    await place.startWorker();
    for (const n of [1, 2]) {
      await place.untilState(await place.create("quick", { n }), "completed");
    }
    await traces.close();
    expect(lines).toMatchObject([{ msg: "traces could not be sent and are lost", receiver: `127.0.0.1:${port}` }]);
    expect(JSON.stringify(lines)).not.toContain("hush-4711");
  });

  it("load nothing where no endpoint is set", async () => {
    expect(await openTraces({ serviceName: "docmill" }, { version: "1", logger: silentLogger })).toBeUndefined();
  });
});
