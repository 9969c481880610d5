/**
 * Seed 002's five scenarios as its users meet them: `docmill serve` and `docmill worker` as processes of their own, files
 * in Azure Blob storage, pages read by Azure Document Intelligence, vectors from OpenAI.
 */
import { BlobServiceClient } from "@azure/storage-blob";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { ProcessingJob } from "../../src/contract/documents.ts";
import type { JobSummary } from "../../src/contract/jobs.ts";
import { sql } from "../../src/db/sql.ts";
import { type AzureServer, startAzure } from "../support/blob-servers.ts";
import { closeGate } from "../support/database-gate.ts";
import { type DocmillProcess, spawnDocmill, startServe } from "../support/docmill-process.ts";
import { type DocumentClient, endProcess, openDocumentClient } from "../support/document-place.ts";
import { type FakeDocumentIntelligence, startFakeDocumentIntelligence } from "../support/fake-document-intelligence.ts";
import { startFakeOpenAi } from "../support/fake-openai.ts";
import type { FakeService, Misbehaviour } from "../support/fake-service.ts";
import { drawPdf } from "../support/sample-pdfs.ts";
import { createTestDatabase, type TestDatabase } from "../support/test-database.ts";
import { until } from "../support/until.ts";

let database: TestDatabase;
let storage: AzureServer;
let reader: FakeDocumentIntelligence;
let openAi: FakeService;
let server: DocmillProcess;
let client: DocumentClient;
let env: Record<string, string>;
let workers: DocmillProcess[] = [];

beforeAll(async () => {
  [database, storage, reader, openAi] = await Promise.all([
    createTestDatabase(),
    startAzure(),
    startFakeDocumentIntelligence({ apiKey: "invented-key" }),
    startFakeOpenAi({ apiKey: "invented-key" }),
  ]);
  env = {
    DATABASE_URL: database.url,
    DOCMILL_STORAGE: "azure",
    DOCMILL_AZURE_STORAGE: storage.connectionString,
    DOCMILL_AZURE_CONTAINER: storage.container,
    DOCMILL_EXTRACTION: "azure",
    DOCMILL_AZURE_DI_ENDPOINT: reader.url,
    DOCMILL_AZURE_DI_KEY: "invented-key",
    DOCMILL_EMBEDDINGS: "openai",
    DOCMILL_EMBEDDINGS_URL: `${openAi.url}/v1`,
    DOCMILL_EMBEDDINGS_KEY: "invented-key",
    DOCMILL_MODEL_TIMEOUT_MS: "1000",
    DOCMILL_POLL_MS: "100",
    DOCMILL_THREADS: "1",
  };
  const started = await startServe(["--no-workers", "--port", "0"], { env });
  server = started.server;
  client = openDocumentClient(started.url);
});

afterAll(async () => {
  await endProcess(server);
  await Promise.all([openAi.close(), reader.close(), storage.close()]);
  await database.drop();
});

afterEach(async () => {
  await Promise.all(workers.map(endProcess));
  workers = [];
});

async function startWorker(settings: Record<string, string> = {}): Promise<DocmillProcess> {
  const worker = spawnDocmill(["worker"], { env: { ...env, ...settings } });
  workers.push(worker);
  await worker.says(/is ready/);
  return worker;
}

/** No two alike: what was paid for one must not be found for another. */
let made = 0;

async function makePdf() {
  made++;
  const bytes = await drawPdf((document) => void document.text(`Invoice ${"paragraph ".repeat(made * 3)}`));
  return { name: `invoice-${made}.pdf`, bytes };
}

async function jobOf(id: string): Promise<ProcessingJob> {
  const job = (await client.jobs(id)).find(({ kind }) => kind === "document");
  if (!job) throw new Error(`document ${id} has no job`);
  return job;
}

function jobWhen(id: string, fits: (job: ProcessingJob) => boolean): Promise<ProcessingJob> {
  return until(async () => {
    const job = await jobOf(id);
    return fits(job) && job;
  });
}

describe("scenario 1: uploading a new PDF document", () => {
  it("stores the file in Azure, the document and its pending job, and answers at once with the metadata", async () => {
    const { name, bytes } = await makePdf();
    const form = new FormData();
    form.append("file", new Blob([new Uint8Array(bytes)], { type: "application/pdf" }), name);
    const { status, body } = await client.ask("/documents", { method: "POST", body: form });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      filename: name,
      contentType: "application/pdf",
      size: bytes.length,
      status: "Processing",
      stage: "pending",
    });
    const container = BlobServiceClient.fromConnectionString(storage.connectionString).getContainerClient(
      storage.container,
    );
    const stored: [string, number | undefined][] = [];
    for await (const { name: key, properties } of container.listBlobsFlat({ prefix: `documents/${body.id}/` })) {
      stored.push([key, properties.contentLength]);
    }
    expect(stored).toEqual([[expect.stringContaining("/original-"), bytes.length]]);
    expect(await jobOf(body.id)).toMatchObject({
      id: body.jobId,
      status: "PENDING",
      attempts: 0,
      max_attempts: 3,
      started_at: null,
      completed_at: null,
      error_log: [],
    });
    await client.ask(`/api/documents/${body.id}`, { method: "DELETE" });
  });
});

describe("scenarios 2 and 3: a worker picks the job up and succeeds", () => {
  it("one of two has it, PROCESSING since started_at; then fields, vectors, COMPLETED and Ready are there", async () => {
    await Promise.all([startWorker(), startWorker()]);
    await using gate = await closeGate(database.url, "lock table document_pages in exclusive mode");
    const file = await makePdf();
    const { id, createdAt } = await client.upload(file);
    await gate.waiting();
    const processing = await jobOf(id);
    expect(processing).toMatchObject({ status: "PROCESSING", attempts: 1, processing_stage: "extracting" });
    expect(Date.parse(processing.started_at ?? "")).toBeGreaterThanOrEqual(Date.parse(createdAt));
    expect(await database.db.query(sql`select distinct worker_id from jobs where status = 'running'`)).toHaveLength(1);
    await gate.open();

    const document = await client.reaches(id, ({ status }) => status !== "Processing");
    expect(document).toMatchObject({ status: "Ready", stage: "complete", pageCount: 1, errorCode: null });
    const completed = await jobOf(id);
    expect(completed).toMatchObject({ status: "COMPLETED", attempts: 1, started_at: processing.started_at });
    expect(Date.parse(completed.completed_at ?? "")).toBeGreaterThanOrEqual(Date.parse(processing.started_at ?? ""));
    expect((await client.ask(`/api/documents/${id}/fields`)).body.items).toContainEqual({
      key: "File size",
      value: `${file.bytes.length} bytes`,
      kind: expect.any(String),
      normalized: null,
      confidence: expect.closeTo(0.9, 5),
      page: 1,
      box: { x: expect.any(Number), y: expect.any(Number), width: expect.any(Number), height: expect.any(Number) },
      source: "azure",
    });
    const chunks = (await client.ask(`/api/documents/${id}/chunks`)).body.items;
    expect(chunks).not.toEqual([]);
    expect(chunks.every(({ embedded }: { embedded: boolean }) => embedded)).toBe(true);
    expect(document.embeddedChunks).toBe(chunks.length);
  });
});

describe("scenario 4: the extraction fails or takes too long", () => {
  const troubles: [string, Misbehaviour, string, number?][] = [
    ["a rate limit with Retry-After", { status: 429, headers: { "retry-after": "2" } }, "RATE_LIMIT", 2_000],
    ["an error of the service", { status: 500 }, "SERVICE_UNAVAILABLE"],
    ["no answer within the time limit", "hang", "TIMEOUT"],
    ["a connection that is cut", "cut-before-headers", "NETWORK_ERROR"],
    ["an answer that names no result", { wrong: "no-location" }, "BAD_ANSWER"],
  ];

  it.each(troubles)("%s: the attempt is counted and logged, the job waits, and later succeeds", async (...trouble) => {
    const [, misbehaviour, code, waitMs = 1_000] = trouble;
    reader.plan(misbehaviour);
    await startWorker();
    const { id, jobId } = await client.upload(await makePdf());
    const waiting = await jobWhen(id, ({ error_log }) => error_log.length === 1);
    expect(waiting).toMatchObject({
      status: "PENDING",
      attempts: 1,
      processing_stage: "pending",
      error_log: [{ attempt: 1, code, message: expect.stringContaining("127.0.0.1"), worker: expect.any(String) }],
    });
    const { body } = (await client.ask(`/api/jobs/${jobId}`)) as { body: JobSummary };
    const failedAt = Date.parse(waiting.error_log[0]?.time ?? "");
    expect(Date.parse(body.runAt)).toBeGreaterThanOrEqual(failedAt + waitMs);
    expect(await client.read(id)).toMatchObject({ status: "Processing" });

    await client.reaches(id, ({ status }) => status === "Ready");
    expect(await jobOf(id)).toMatchObject({ status: "COMPLETED", attempts: 2, error_log: [{ code }] });
  });

  it("an answer that is no JSON is asked for again, and the file is sent once", async () => {
    reader.plan(undefined, { raw: "<html>Bad gateway" });
    await startWorker();
    const { id, sha256 } = await client.upload(await makePdf());
    await client.reaches(id, ({ status }) => status === "Ready");
    expect(await jobOf(id)).toMatchObject({ attempts: 1, error_log: [] });
    expect(reader.uploads().filter((upload) => upload.sha256 === sha256)).toMatchObject([{ times: 1 }]);
  });

  it("FAILED once the attempts are used up, with all of them in error_log; a retry starts over and succeeds", async () => {
    reader.plan({ status: 503 }, { status: 503 }, "cut-before-headers");
    await startWorker();
    const { id } = await client.upload(await makePdf());
    const failed = await client.reaches(id, ({ status }) => status === "Failed");
    expect(failed).toMatchObject({ stage: "failed", errorCode: "NETWORK_ERROR", chunkCount: 0 });
    const job = await jobOf(id);
    expect(job).toMatchObject({ status: "FAILED", attempts: 3, error_code: "NETWORK_ERROR" });
    expect(job.completed_at).not.toBeNull();
    expect(job.error_log.map(({ attempt, code }) => [attempt, code])).toEqual([
      [1, "SERVICE_UNAVAILABLE"],
      [2, "SERVICE_UNAVAILABLE"],
      [3, "NETWORK_ERROR"],
    ]);
    expect((await client.ask(`/api/documents/${id}/fields`)).body.items).toEqual([]);

    expect((await client.post(`/api/documents/${id}/retry`)).status).toBe(200);
    await client.reaches(id, ({ status }) => status === "Ready");
    expect(await jobOf(id)).toMatchObject({ status: "COMPLETED", attempts: 1 });
  });

  it("the same for embeddings: what was extracted is not asked for again", async () => {
    openAi.plan({ status: 429, headers: { "retry-after": "1" } });
    await startWorker();
    const { id, sha256 } = await client.upload(await makePdf());
    const waiting = await jobWhen(id, ({ error_log }) => error_log.length === 1);
    expect(waiting).toMatchObject({
      status: "PENDING",
      processing_stage: "chunked",
      error_log: [{ code: "RATE_LIMIT" }],
    });
    await client.reaches(id, ({ status }) => status === "Ready");
    expect(reader.uploads().filter((upload) => upload.sha256 === sha256)).toMatchObject([{ times: 1 }]);
  });
});

describe("scenario 5: the worker crashes", () => {
  it.each([
    ["killed", "SIGKILL", {}],
    ["stuck", "SIGSTOP", { DOCMILL_LEASE_MS: "1000", DOCMILL_HEARTBEAT_MS: "200" }],
  ] as const)("a job whose worker was %s is reset, counted, and done by another", async (_, signal, settings) => {
    await using gate = await closeGate(database.url, "lock table document_pages in exclusive mode");
    const zombie = await startWorker(settings);
    const { id, sha256 } = await client.upload(await makePdf());
    await gate.waiting();
    zombie.kill(signal);
    await gate.open();
    // Nobody is there to take it; whoever looks after it is lost sees it waiting, never stuck.
    const next = await startWorker(settings);
    await client.reaches(id, ({ status }) => status === "Ready");
    expect(await jobOf(id)).toMatchObject({
      status: "COMPLETED",
      attempts: 2,
      error_log: [{ attempt: 1, code: "LEASE_LOST" }],
    });
    expect(reader.uploads().filter((upload) => upload.sha256 === sha256)).toMatchObject([{ times: 1 }]);
    expect(await database.db.query(sql`select from document_pages where document_id = ${id}`)).toHaveLength(1);
    expect(next.stderr).not.toMatch(/"level":50/);
  });
});
