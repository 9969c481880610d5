import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { z } from "zod";
import { EventList } from "../../src/contract/events.ts";
import { JobDetail, JobItemList, JobList } from "../../src/contract/jobs.ts";
import { Readiness, Stats, WorkerList } from "../../src/contract/system.ts";
import { sql } from "../../src/db/sql.ts";
import { newId } from "../../src/jobs/new-id.ts";
import { openGate } from "../fixtures/pipelines/http.ts";
import { type HttpPlace, openHttpPlace } from "../support/http-place.ts";
import { insertPastJobs, type PastJob } from "../support/jobs-of-the-past.ts";
import { describeOnEachServer } from "../support/test-database.ts";
import { until } from "../support/until.ts";

/** The contract holds all that was sent, and nothing was sent that it does not hold. */
function keepsContract(schema: z.ZodType, body: unknown): void {
  expect(schema.parse(body)).toEqual(body);
}

describeOnEachServer("the HTTP API", (server) => {
  let place: HttpPlace;
  beforeAll(async () => {
    place = await openHttpPlace({ server });
    await place.startWorker();
  });
  afterAll(() => place.close());

  it("is alive and ready", async () => {
    expect(await place.ask("/healthz")).toMatchObject({ status: 200, body: { ok: true } });
    const { status, body } = await place.ask("/readyz");
    keepsContract(Readiness, body);
    expect([status, body]).toEqual([
      200,
      { ready: true, checks: { database: { ok: true }, migrations: { ok: true } } },
    ]);
  });

  it("creates a job, runs it and shows all of it", async () => {
    const { status, body } = await place.post("/api/jobs", { kind: "quick", input: { n: 20 } });
    expect([status, body.created]).toEqual([201, true]);
    const job = await place.untilState(body.id, "completed");
    keepsContract(JobDetail, job);
    expect(job).toMatchObject({
      kind: "quick",
      stage: null,
      attempts: 1,
      input: { n: 20 },
      result: { sum: 41 },
      errorCode: null,
      errorMessage: null,
      waiting: null,
      worker: null,
      heartbeatAt: null,
    });
    expect(job.stages.map(({ name, status }: JobDetail["stages"][number]) => [name, status])).toEqual([
      ["double", "completed"],
      ["add", "completed"],
    ]);
  });

  it("shows where a running job is, and who runs it", async () => {
    const id = await place.create("held", { gate: `where ${server}` });
    const job = await until(async () => {
      const { body } = await place.ask(`/api/jobs/${id}`);
      return body.stage === "wait" && body.status === "running" && body;
    });
    keepsContract(JobDetail, job);
    const { body: workers } = await place.ask("/api/workers");
    keepsContract(WorkerList, workers);
    expect(workers.items).toMatchObject([
      { id: job.worker.id, pid: process.pid, state: "alive", slots: 4, running: 1 },
    ]);
    expect(job.heartbeatAt).not.toBeNull();
    expect(job.stages).toMatchObject([
      { name: "before", status: "completed" },
      { name: "wait", status: "running", finishedAt: null },
      { name: "after", status: "pending", startedAt: null },
    ]);
    openGate(`where ${server}`);
    await place.untilState(id, "completed");
  });

  it("lists items with their errors, page by page", async () => {
    const pages = Array.from({ length: 25 }, (_, index) => String(index + 1).padStart(2, "0"));
    const id = await place.create("pages", { pages, bad: ["07", "11"] });
    const job = await place.untilState(id, "completed");
    expect(job).toMatchObject({ totalItems: 25, completedItems: 23, failedItems: 2 });
    expect(job.items).toEqual({
      completed: 23,
      failed: 2,
      errors: ["07", "11"].map((key) => ({
        stage: "read",
        key,
        error: `Page ${key} is blank.`,
        error_type: "terminal",
        code: "BAD_PAGE",
      })),
    });
    const seen: string[] = [];
    for (let cursor = ""; ; ) {
      const { body } = await place.ask(`/api/jobs/${id}/items?limit=10${cursor}`);
      keepsContract(JobItemList, body);
      seen.push(...body.items.map(({ key }: { key: string }) => key));
      if (body.nextCursor === null) break;
      cursor = `&cursor=${body.nextCursor}`;
    }
    expect(seen).toEqual(pages);
    const { body: failed } = await place.ask(`/api/jobs/${id}/items?state=failed`);
    expect(failed.items).toMatchObject([
      { key: "07", status: "failed", output: null, error: { code: "BAD_PAGE" } },
      { key: "11", status: "failed" },
    ]);
  });

  it("replays events as JSON from any number on", async () => {
    const id = await place.create("talkative", { events: 5, bytes: 1 });
    await place.untilState(id, "completed");
    const { body: all } = await place.ask(`/api/jobs/${id}/events`);
    keepsContract(EventList, all);
    expect(all.items.map(({ type }: { type: string }) => type)).toEqual([
      "job_started",
      ...new Array(5).fill("word"),
      "job_completed",
    ]);
    const { body: some } = await place.ask(`/api/jobs/${id}/events?after=2&limit=3`);
    expect(some.items.map(({ number }: { number: number }) => number)).toEqual([3, 4, 5]);
    expect(some.lastEventId).toBe(7);
  });

  it("keeps the error log, and retries from where the job stopped", async () => {
    const id = await place.create("failing", { retryable: false });
    const failed = await place.untilState(id, "failed");
    keepsContract(JobDetail, failed);
    expect(failed).toMatchObject({ stage: "fail", errorCode: "ENCRYPTED_PDF", errorMessage: "The file is encrypted." });
    expect(failed.errorLog).toMatchObject([{ attempt: 1, code: "ENCRYPTED_PDF", stage: "fail", retryable: false }]);
    const { status, body } = await place.post(`/api/jobs/${id}/retry`);
    keepsContract(JobDetail, body);
    expect(status).toBe(200);
    await until(async () => (await place.ask(`/api/jobs/${id}`)).body.errorLog.length === 2);
  });

  it("counts what was paid, and what was answered from memory", async () => {
    const question = `why ${server}`;
    const first = await place.untilState(await place.create("paid", { question }), "completed");
    const second = await place.untilState(await place.create("paid", { question }), "completed");
    expect(first.spend).toEqual({ paidCalls: 1, hits: 0, tokensIn: 10, tokensOut: 3, cost: 0.0015 });
    expect(second.spend).toEqual({ paidCalls: 0, hits: 1, tokensIn: 0, tokensOut: 0, cost: null });
  });

  it("cancels pending and running jobs", async () => {
    const running = await place.create("held", { gate: "never" });
    await place.untilState(running, "running");
    const later = await place.create("quick", { n: 1 }, { delayMs: 3_600_000 });
    for (const id of [running, later]) {
      const { status, body } = await place.post(`/api/jobs/${id}/cancel`);
      keepsContract(JobDetail, body);
      expect([status, body.status, body.errorMessage]).toEqual([200, "cancelled", null]);
    }
  });

  it("counts jobs as they are", async () => {
    const later = await place.create("quick", { n: 2 }, { delayMs: 3_600_000 });
    const { body } = await place.ask("/api/stats");
    keepsContract(Stats, body);
    const [row] = await place.db.query<{ jobs: number; ended: number }>(
      sql`select count(*) as jobs, count(completed_at) as ended from jobs`,
    );
    const counts: number[] = Object.values(body.jobs);
    expect(counts.reduce((sum, count) => sum + count)).toBe(row?.jobs);
    expect(body.endedPerMinute).toHaveLength(60);
    expect(body.endedPerMinute.reduce((sum: number, count: number) => sum + count)).toBe(row?.ended);
    expect(body.byKind.quick).toMatchObject({ pending: 1, served: true });
    expect(body.workers).toEqual({ alive: 1, slots: 4 });
    await place.post(`/api/jobs/${later}/cancel`);
  });

  it("has a description of every route it has", async () => {
    const { status, body } = await place.ask("/openapi.json");
    expect(status).toBe(200);
    expect(Object.keys(body.paths).sort()).toEqual([
      "/api/jobs",
      "/api/jobs/{id}",
      "/api/jobs/{id}/cancel",
      "/api/jobs/{id}/events",
      "/api/jobs/{id}/items",
      "/api/jobs/{id}/retry",
      "/api/jobs/{id}/stream",
      "/api/stats",
      "/api/stream",
      "/api/workers",
      "/docs",
      "/healthz",
      "/openapi.json",
      "/readyz",
    ]);
  });
});

describe("a list of jobs", () => {
  let place: HttpPlace;
  beforeAll(async () => {
    place = await openHttpPlace();
  });
  afterAll(() => place.close());

  const readAll = async (query: string, betweenPages: () => Promise<unknown> = async () => undefined) => {
    const ids: string[] = [];
    for (let cursor = ""; ; ) {
      const { body } = await place.ask(`/api/jobs?${query}${cursor}`);
      keepsContract(JobList, body);
      ids.push(...body.items.map(({ id }: { id: string }) => id));
      if (body.nextCursor === null) return ids;
      cursor = `&cursor=${body.nextCursor}`;
      await betweenPages();
    }
  };

  it("gives every job once, newest first, while others are added", async () => {
    const created: string[] = [];
    for (let n = 0; n < 23; n++) created.push(await place.create(n % 2 ? "quick" : "anything", { n }));
    const newest = created.toReversed();
    const add = () => place.create("quick", { n: -1 });
    expect(await readAll("limit=5", add)).toEqual(newest);
    const odd = newest.filter((_, index) => (newest.length - 1 - index) % 2 === 1);
    const quick = await readAll("limit=4&kind=quick", add);
    expect(quick.slice(-odd.length)).toEqual(odd);
    const pending = await readAll("limit=6&state=pending", add);
    expect(pending.slice(-newest.length)).toEqual(newest);
    expect(new Set(pending).size).toBe(pending.length);
    expect(await readAll("limit=4&state=pending&kind=anything")).toEqual(
      newest.filter((_, index) => (newest.length - 1 - index) % 2 === 0),
    );
  });

  it("is filtered by every state, also while jobs move between them", async () => {
    const ids = await Promise.all(Array.from({ length: 6 }, (_, n) => place.create("held", { gate: `list ${n}` })));
    await place.engine.cancelJob(ids[0] as string);
    const [cancelled] = await readAll("state=cancelled&kind=held");
    expect(cancelled).toBe(ids[0]);
    expect(await readAll("state=failed")).toEqual([]);
    expect(await readAll("state=running")).toEqual([]);
    expect((await readAll("kind=held&limit=2")).toSorted()).toEqual(ids.toSorted());
    expect(await readAll("kind=nobody")).toEqual([]);
  });

  it("gives a batch in pages of its own", async () => {
    const pipeline = place.engine.registry.get("quick");
    const jobs = Array.from({ length: 11 }, (_, n) => ({ pipeline, input: { n } }));
    const { id, jobIds } = await place.engine.createBatch({ pipeline, jobs });
    await place.engine.cancelJob(jobIds[3] as string);
    expect(await readAll(`batch=${id}&limit=3`)).toEqual(jobIds.toReversed());
    expect(await readAll(`batch=${id.toUpperCase()}&limit=3&state=cancelled`)).toEqual([jobIds[3]]);
    expect(await readAll(`batch=${id}&kind=held`)).toEqual([]);
  });

  it("is cut by time, with every other filter and page by page", async () => {
    await using past = await openHttpPlace();
    const batchId = newId();
    await past.db.query(sql`insert into batches (id, kind, total_jobs) values (${batchId}, 'odd', 20)`);
    const start = Date.parse("2025-03-01T12:00:00.000Z");
    const jobs: PastJob[] = Array.from({ length: 60 }, (_, n) => ({
      createdAt: start + n * 1_000,
      kind: n % 2 ? "odd" : "even",
      ...(n % 3 === 0 && { endedAt: start + n * 1_000 + 5, status: n % 4 ? "failed" : "completed" }),
      ...(n >= 40 && { batchId, sequence: n - 39 }),
    }));
    const ids = await insertPastJobs(past.db, jobs);
    const readAll = async (query: string) => {
      const found: string[] = [];
      for (let cursor = ""; ; ) {
        const { body } = await past.ask(`/api/jobs?limit=3${query}${cursor}`);
        keepsContract(JobList, body);
        found.push(...body.items.map(({ id }: { id: string }) => id));
        if (body.nextCursor === null) return found;
        cursor = `&cursor=${body.nextCursor}`;
      }
    };
    const at = (n: number) => new Date(start + n * 1_000).toISOString();
    const filters: [query: string, fits: (job: PastJob) => boolean][] = [
      ["", () => true],
      ["&kind=odd", ({ kind }) => kind === "odd"],
      ["&state=pending", ({ endedAt }) => endedAt === undefined],
      ["&state=failed&kind=odd", ({ status, kind }) => status === "failed" && kind === "odd"],
      [`&batch=${batchId}`, (job) => job.batchId !== undefined],
      [`&batch=${batchId}&state=pending`, (job) => job.batchId !== undefined && job.endedAt === undefined],
    ];
    const ranges: [query: string, from: number, to: number][] = [
      ["", 0, 60],
      [`&since=${at(10)}`, 10, 60],
      [`&before=${at(50)}`, 0, 50],
      [`&since=${at(45)}&before=${at(52)}`, 45, 52],
      [`&since=${at(44.5)}&before=${at(51.5)}`, 45, 52],
      [`&since=${at(70)}`, 0, 0],
      [`&before=${at(0)}`, 0, 0],
      ["&since=0000-01-01T00:00:00Z&before=9999-12-31T23:59:59Z", 0, 60],
      [`&since=${at(52)}&before=${at(45)}`, 0, 0],
    ];
    for (const [range, from, to] of ranges) {
      for (const [query, fits] of filters) {
        const expected = ids.filter((_, n) => n >= from && n < to && fits(jobs[n] as PastJob)).toReversed();
        expect([range + query, await readAll(range + query)]).toEqual([range + query, expected]);
      }
    }
    for (const wrong of ["since=yesterday", "before=2025-03-01", "since=2025-02-30T00:00:00Z"]) {
      expect((await past.ask(`/api/jobs?${wrong}`)).status).toBe(400);
    }
  });
});
