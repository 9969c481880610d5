/** Seed 002's five scenarios, as far as they are the engine's: what a document's upload leaves behind, and its worker. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Queryable } from "../../src/db/database.ts";
import { sql } from "../../src/db/sql.ts";
import { createPipelines } from "../fixtures/extraction.ts";
import { type FaultWorker, startFaultWorker } from "../support/fault-worker.ts";
import { jobEnded, jobWhen, readErrors, readJob } from "../support/read-job.ts";
import { createTestDatabase, type TestDatabase } from "../support/test-database.ts";
import { openTestEngine, type TestEngine } from "../support/test-engine.ts";

let database: TestDatabase;
let engine: TestEngine;
let extraction: ReturnType<typeof createPipelines>["extraction"];
let workers: FaultWorker[];

beforeEach(async () => {
  database = await createTestDatabase();
  await database.db.query(sql`create table extracted_documents (id text primary key, status text not null)`);
  await database.db.query(
    sql`create table extracted_fields (document_id text not null, name text not null, value text not null)`,
  );
  const pipelines = createPipelines({ tell: () => undefined });
  extraction = pipelines.extraction;
  engine = openTestEngine({ url: database.url, pipelines: Object.values(pipelines) });
  workers = [];
});

afterEach(async () => {
  await Promise.all(workers.map((worker) => worker.kill()));
  await engine.close();
  await database.drop();
});

async function startWorkers(count: number): Promise<FaultWorker[]> {
  const options = { url: database.url, fixture: "extraction.ts" };
  workers = await Promise.all(Array.from({ length: count }, () => startFaultWorker(options)));
  return workers;
}

/** What an upload does once its file is stored: the document and its job in one transaction. */
function upload(documentId: string, options: { timeouts?: number; hang?: boolean } = {}): Promise<string> {
  return engine.db.transaction(async (tx) => {
    await tx.query(sql`insert into extracted_documents (id, status) values (${documentId}, 'processing')`);
    const input = { documentId, timeouts: 0, hang: false, ...options };
    return (await engine.enqueue(extraction.job(input), { tx })).id;
  });
}

async function readDocument(db: Queryable, id: string) {
  const [document] = await db.query<{ status: string }>(sql`select status from extracted_documents where id = ${id}`);
  const fields = await db.query(sql`select name, value from extracted_fields where document_id = ${id} order by name`);
  return { status: document?.status, fields };
}

describe("scenario 1: uploading a document", () => {
  it("leaves the document and its pending job, in one transaction", async () => {
    const jobId = await upload("d1");
    expect(await readDocument(database.db, "d1")).toEqual({ status: "processing", fields: [] });
    expect(await readJob(database.db, jobId)).toMatchObject({
      status: "pending",
      kind: "extraction",
      attempts: 0,
      input: { documentId: "d1" },
      startedAt: null,
    });
  });

  it("that fails leaves neither", async () => {
    await upload("d1");
    await expect(upload("d1")).rejects.toMatchObject({ code: "23505" });
    expect(await database.db.query(sql`select from jobs`)).toHaveLength(1);
  });
});

describe("scenario 2: a worker picks the job up", () => {
  it("alone, among many that look: it is running, with started_at", async () => {
    const started = await startWorkers(3);
    const jobId = await upload("d1", { hang: true });
    const job = await jobWhen(database.db, jobId, ({ status }) => status === "running");
    expect(job).toMatchObject({ attempts: 1, lease: 1 });
    expect(job.startedAt?.getTime()).toBeGreaterThanOrEqual(job.createdAt.getTime());
    const hears = started.map((worker) => worker.hears("analysing").then(() => worker));
    const owner = await Promise.any(hears);
    expect((await owner.hears("ready")).workerId).toBe(job.workerId);
    for (const other of started.filter((worker) => worker !== owner)) {
      await other.stop();
      expect(other.messages.filter(({ type }) => type === "analysing")).toEqual([]);
    }
    await Promise.allSettled(hears);
  });

  it("past one that another transaction holds locked, without waiting for it", async () => {
    const locked = await upload("locked");
    const free = await upload("free");
    await database.db.transaction(async (tx) => {
      await tx.query(sql`select from jobs where id = ${locked} for update`);
      await engine.startWorker();
      expect((await jobEnded(engine.db, free)).status).toBe("completed");
      expect((await readJob(engine.db, locked)).status).toBe("pending");
    });
    expect((await jobEnded(database.db, locked)).status).toBe("completed");
  });
});

describe("scenario 3: the extraction succeeds", () => {
  it("its fields, the document's state and the job's end are there together, with completed_at", async () => {
    await engine.startWorker();
    const jobId = await upload("d1");
    const job = await jobEnded(database.db, jobId);
    expect(job).toMatchObject({ status: "completed", result: 2, errorMessage: null });
    expect(job.completedAt).not.toBeNull();
    expect(await readDocument(database.db, "d1")).toEqual({
      status: "ready",
      fields: [
        { name: "pages", value: "12" },
        { name: "title", value: "Report" },
      ],
    });
  });
});

describe("scenario 4: the service is limited or does not answer", () => {
  it("the attempt is counted, the error is logged, the job is pending again, and later it succeeds", async () => {
    await engine.startWorker();
    const jobId = await upload("d1", { timeouts: 2 });
    const job = await jobEnded(database.db, jobId);
    expect(job).toMatchObject({ status: "completed", attempts: 3 });
    expect(await readErrors(database.db, jobId)).toMatchObject([
      {
        attempt: 1,
        code: "TIMEOUT",
        message: "The service did not answer within 60 s.",
        retryable: true,
        stage: "analyse",
      },
      { attempt: 2, code: "TIMEOUT", retryable: true, stage: "analyse" },
    ]);
    expect((await readDocument(database.db, "d1")).fields).toHaveLength(2);
  });

  it("and failed once the attempts are used up, with nothing saved", async () => {
    await engine.startWorker();
    const jobId = await upload("d1", { timeouts: 99 });
    expect(await jobEnded(database.db, jobId)).toMatchObject({ status: "failed", attempts: 3, errorCode: "TIMEOUT" });
    expect(await readErrors(database.db, jobId)).toHaveLength(3);
    expect(await readDocument(database.db, "d1")).toEqual({ status: "processing", fields: [] });
  });
});

describe("scenario 5: the worker crashes", () => {
  it("the job is pending again, another worker takes it as its next attempt, and nothing is saved twice", async () => {
    const [victim] = await startWorkers(1);
    const jobId = await upload("d1", { hang: true });
    await victim?.hears("analysing", (message) => message.jobId === jobId);
    await victim?.kill();
    expect((await readJob(database.db, jobId)).status).toBe("running");
    await engine.startWorker();
    const job = await jobEnded(database.db, jobId);
    expect(job).toMatchObject({ status: "completed", attempts: 2, lease: 2 });
    expect((await readDocument(database.db, "d1")).fields).toHaveLength(2);
    expect(await readErrors(database.db, jobId)).toMatchObject([{ attempt: 1, code: "LEASE_LOST", retryable: true }]);
  });
});
