/**
 * Cancelling: a waiting job goes at once, a running one is told wherever it runs and can write nothing more, and however
 * closely it races with the end of the work, the outcome is one of the two everywhere.
 */
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { sql } from "../../src/db/sql.ts";
import { RetryableError } from "../../src/errors.ts";
import { pipeline } from "../../src/jobs/pipeline.ts";
import { createPipelines } from "../fixtures/cancelled.ts";
import { countEffects, createEffectTables } from "../support/effects.ts";
import { type FaultWorker, startFaultWorker } from "../support/fault-worker.ts";
import {
  batchEnded,
  countBatch,
  eventTypes,
  jobEnded,
  jobWhen,
  readErrors,
  readItems,
  readJob,
  readStages,
} from "../support/read-job.ts";
import { createTestDatabase, type TestDatabase } from "../support/test-database.ts";
import { openEngineOnDatabase, openTestEngine, type TestEngine } from "../support/test-engine.ts";
import { until } from "../support/until.ts";

describe("cancelling a job that waits", () => {
  const marker = pipeline("marker", { input: z.object({}) }).stage("only", () => "done");

  it("takes it out of the queue at once", async () => {
    await using place = await openEngineOnDatabase([marker]);
    const { db, engine } = place;
    const { id } = await engine.enqueue(marker.job({}));
    await engine.cancelJob(id);
    const job = await readJob(db, id);
    expect(job).toMatchObject({ status: "cancelled", errorMessage: null, attempts: 0, startedAt: null });
    expect(job.completedAt).not.toBeNull();
    await engine.startWorker();
    // Younger than the cancelled one: it would have come second.
    await jobEnded(db, (await engine.enqueue(marker.job({}))).id);
    expect(await readJob(db, id)).toEqual(job);
    expect(await eventTypes(db, id)).toEqual(["job_cancelled"]);
  });

  it("between two attempts ends it, and keeps what it has done", async () => {
    const work = pipeline("flaky", { input: z.object({}), retry: { baseMs: 3_600_000 } })
      .stage("first", () => "kept")
      .stage("second", () => {
        throw new RetryableError("TIMEOUT", "Too slow.");
      });
    await using place = await openEngineOnDatabase([work]);
    const { db, engine } = place;
    await engine.startWorker();
    const { id } = await engine.enqueue(work.job({}));
    await jobWhen(db, id, ({ status, attempts }) => status === "pending" && attempts === 1);
    await engine.cancelJob(id);
    expect(await readJob(db, id)).toMatchObject({
      status: "cancelled",
      attempts: 1,
      errorCode: null,
      errorMessage: null,
    });
    expect(await readErrors(db, id)).toHaveLength(1);
    expect(await readStages(db, id)).toEqual(["first"]);
    expect((await eventTypes(db, id)).at(-1)).toBe("job_cancelled");
  });

  it("is refused once it has ended, naming both states, and for a job there never was", async () => {
    await using place = await openEngineOnDatabase([marker]);
    const { db, engine } = place;
    await engine.startWorker();
    const { id } = await engine.enqueue(marker.job({}));
    await jobEnded(db, id);
    await expect(engine.cancelJob(id)).rejects.toMatchObject({
      code: "INVALID_TRANSITION",
      message: expect.stringMatching(/completed.*cancelled/),
    });
    const other = await engine.enqueue(marker.job({}, { delayMs: 60_000 }));
    await engine.cancelJob(other.id);
    await expect(engine.cancelJob(other.id)).rejects.toMatchObject({ details: { from: "cancelled", to: "cancelled" } });
    await expect(engine.cancelJob("01890000-0000-7000-8000-000000000000")).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(engine.cancelBatch("01890000-0000-7000-8000-000000000000")).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
  });
});

describe("cancelling a job that runs in another process", () => {
  let database: TestDatabase;
  let engine: TestEngine;
  let pipelines: ReturnType<typeof createPipelines>;
  let worker: FaultWorker | undefined;

  beforeAll(async () => {
    database = await createTestDatabase();
    await createEffectTables(database.db);
    pipelines = createPipelines({ db: database.db, tell: () => undefined });
    engine = openTestEngine({ url: database.url, pipelines: Object.values(pipelines) });
  });

  afterEach(async () => {
    await worker?.kill();
    worker = undefined;
  });

  afterAll(async () => {
    await engine.close();
    await database.drop();
  });

  it.each([
    ["by a hint", undefined],
    ["by looking", null],
  ])("aborts its signal %s, and refuses whatever it writes afterwards", async (_, listenUrl) => {
    const { db, url } = database;
    worker = await startFaultWorker({ url, fixture: "cancelled.ts", listenUrl });
    const { id } = await engine.enqueue(pipelines.stubborn.job({}));
    await worker.hears("started", ({ jobId }) => jobId === id);
    await engine.cancelJob(id);
    const cancelled = await readJob(db, id);
    expect((await worker.hears("aborted")).code).toBe("CANCELLED");
    await worker.hears("finished");
    const tried = worker.messages.filter(({ type }) => type === "tried").map(({ what, refused }) => [what, refused]);
    expect(Object.fromEntries(tried)).toEqual({
      progress: null,
      emit: "LEASE_LOST",
      fenced: "LEASE_LOST",
      item: expect.stringMatching(/LEASE_LOST|CANCELLED/),
    });
    // It exits only when its last write was answered.
    await worker.stop();
    expect(await readJob(db, id)).toEqual(cancelled);
    expect(cancelled).toMatchObject({ status: "cancelled", completedItems: 1, message: "before", errorMessage: null });
    expect(await countEffects(db, id)).toEqual({});
    expect(await readItems(db, id)).toEqual([]);
    expect(await readErrors(db, id)).toEqual([]);
    expect((await eventTypes(db, id)).slice(-1)).toEqual(["job_cancelled"]);
  });

  it("raced 200 times with its completion, ends in one of the two, the same in row, events, effects and counters", async () => {
    const { db, url } = database;
    worker = await startFaultWorker({ url, fixture: "cancelled.ts", slots: 8 });
    const answers = new Map<string, Promise<string>>();
    worker.onMessage(({ type, jobId }) => {
      if (type !== "started" || answers.has(jobId as string)) return;
      const cancelling = delay(Math.random() * 12).then(() => engine.cancelJob(jobId as string));
      answers.set(
        jobId as string,
        cancelling.then(
          () => "cancelled",
          (error: { code: string }) => error.code,
        ),
      );
    });
    const { quick } = pipelines;
    const batches: string[] = [];
    for (let round = 0; round < 20; round++) {
      const jobs = Array.from({ length: 10 }, () => quick.job({ ms: Math.random() * 12 }));
      batches.push((await engine.createBatch({ pipeline: quick, jobs })).id);
    }
    const states = await Promise.all(batches.map((batch) => batchEnded(db, batch)));
    await worker.stop();

    const jobs = await db.query<{ id: string; status: string }>(sql`select id, status from jobs where kind = 'quick'`);
    expect(jobs).toHaveLength(200);
    const outcomes = { completed: 0, cancelled: 0 };
    for (const { id, status } of jobs) {
      outcomes[status as keyof typeof outcomes]++;
      const ends = (await eventTypes(db, id)).filter((type) => /completed|cancelled|failed/.test(type));
      expect({ ends, answer: await answers.get(id), effects: await countEffects(db, id) }).toEqual(
        status === "completed"
          ? { ends: ["job_completed"], answer: "INVALID_TRANSITION", effects: { committed: 1 } }
          : { ends: ["job_cancelled"], answer: "cancelled", effects: {} },
      );
    }
    expect(outcomes.completed + outcomes.cancelled).toBe(200);
    // Otherwise it was no race.
    expect(Math.min(outcomes.completed, outcomes.cancelled)).toBeGreaterThan(0);
    for (const [index, batch] of batches.entries()) {
      const { counters, rows } = await countBatch(db, batch);
      expect(counters).toEqual(rows);
      const { completedJobs, cancelledJobs } = states[index] as (typeof states)[number];
      const state = cancelledJobs === 10 ? "cancelled" : completedJobs === 10 ? "completed" : "partial";
      expect(states[index]?.status).toBe(state);
      const ends = (await eventTypes(db, batch)).filter(
        (type) => type.startsWith("batch_") && type !== "batch_started",
      );
      expect(ends).toEqual([state === "cancelled" ? "batch_cancelled" : "batch_completed"]);
    }
  });

  it("a batch raced with its last jobs is cancelled for good or completed for good", async () => {
    const { db, url } = database;
    worker = await startFaultWorker({ url, fixture: "cancelled.ts", slots: 6 });
    const { quick } = pipelines;
    const outcomes = { completed: 0, cancelled: 0 };
    for (let round = 0; round < 40; round++) {
      const jobs = Array.from({ length: 3 }, () => quick.job({ ms: Math.random() * 5 }));
      const { id, jobIds } = await engine.createBatch({ pipeline: quick, jobs });
      await worker.hears("started", ({ batchId }) => batchId === id);
      await delay(Math.random() * 20);
      const cancelledJobs = await engine.cancelBatch(id);
      const batch = await batchEnded(db, id);
      const state = cancelledJobs > 0 ? "cancelled" : "completed";
      outcomes[state]++;
      expect(batch.status).toBe(state);
      // What was running must have had its say before we look at the batch for the last time.
      await until(async () =>
        (await Promise.all(jobIds.map((jobId) => readJob(db, jobId)))).every(({ completedAt }) => completedAt),
      );
      const { counters, rows, turns } = await countBatch(db, id);
      expect(counters).toEqual(rows);
      expect(turns).toEqual({ says: 0, runs: 0 });
      const ends = (await eventTypes(db, id)).filter((type) => type.startsWith("batch_") && type !== "batch_started");
      expect(ends).toEqual([`batch_${state}`]);
    }
    await worker.stop();
    expect(Math.min(outcomes.completed, outcomes.cancelled)).toBeGreaterThan(0);
    const turned = await db.query(sql`
      select from events c join events e using (stream_id)
      where c.type = 'batch_cancelled' and e.type = 'batch_completed'`);
    expect(turned).toEqual([]);
  });
});
