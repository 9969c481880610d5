/** Races that random attacks on the engine have found, each brought about here on purpose. */
import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { databaseClock } from "../../src/db/clock.ts";
import { type Database, openDatabase } from "../../src/db/database.ts";
import { openHints } from "../../src/db/hints.ts";
import { type Sql, sql } from "../../src/db/sql.ts";
import { noFaults } from "../../src/jobs/fault-points.ts";
import { jobReleased } from "../../src/jobs/job-events.ts";
import { createJobWriter } from "../../src/jobs/job-writer.ts";
import { pipeline } from "../../src/jobs/pipeline.ts";
import { thisProcess } from "../../src/jobs/process-identity.ts";
import { claimJobs } from "../../src/jobs/queries/claim-jobs.ts";
import { registerWorker } from "../../src/jobs/worker-lease.ts";
import { type EnginePlace, openEnginePlace } from "../support/engine-place.ts";
import { jobEnded, readStream } from "../support/read-job.ts";
import { silentLogger } from "../support/silent-logger.ts";
import { until } from "../support/until.ts";

async function open(...pipelines: object[]): Promise<EnginePlace> {
  const place = await openEnginePlace({ pipelines });
  onTestFinished(() => place.close());
  return place;
}

it("writes of two runs of one job in one worker are never merged, and only the second run's land", async () => {
  const first = Promise.withResolvers<void>();
  const letGo = Promise.withResolvers<void>();
  const work = pipeline("twice", { input: z.object({}) }).stage("only", async ({ job, progress }) => {
    if (job.lease === 1) {
      first.resolve();
      await letGo.promise;
      void progress({ message: "from the first run" });
    } else {
      letGo.resolve();
      // Both runs hand their end in within the same turn of the event loop.
      await nextTurn();
    }
    return { lease: job.lease };
  });
  const { db, engine } = await open(work);
  const { id } = await engine.enqueue(work.job({}));
  await engine.startWorker();
  await first.promise;
  await engine.cancelJob(id);
  await engine.retryJob(id);
  expect(await jobEnded(db, id)).toMatchObject({ status: "completed", lease: 3, message: null, result: { lease: 3 } });
  expect((await readStream(db, id)).map(({ type }) => type)).toEqual([
    "job_started",
    "job_cancelled",
    "job_retried",
    "job_started",
    "job_completed",
  ]);
});

it("a worker that hears late of a run it has lost does not stop the same job's next run", async () => {
  const runs: AbortSignal[] = [];
  const letGo = Promise.withResolvers<void>();
  const work = pipeline("again", { input: z.object({}) })
    .stage("wait", async ({ signal }) => {
      runs.push(signal);
      await letGo.promise;
    })
    .stage("last", ({ job }) => ({ lease: job.lease }));
  const place = await open(work);
  const control = openDatabase({ url: place.url, logger: silentLogger, maxConnections: 4 });
  const asked = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<void>();
  const slowControl: Database = {
    ...control,
    async query<Row extends object>(statement: Sql) {
      const rows = await control.query<Row>(statement);
      if (rows.length === 0 || !statement.compile().text.includes("as mine (id")) return rows;
      asked.resolve();
      await answered.promise;
      return rows;
    },
  };
  onTestFinished(() => control.close());
  const worker = await place.engine.startWorker({ control: slowControl });
  onTestFinished(() => worker.stop(0));
  const { id } = await place.engine.enqueue(work.job({}));
  await until(() => runs.length === 1);
  await place.engine.cancelJob(id);
  await asked.promise;
  await place.engine.retryJob(id);
  await until(() => runs.length === 2);
  answered.resolve();
  await until(() => runs.some(({ aborted }) => aborted));
  expect(runs.map(({ aborted }) => aborted)).toEqual([true, false]);
  letGo.resolve();
  expect(await jobEnded(place.db, id)).toMatchObject({ status: "completed", lease: 3, result: { lease: 3 } });
});

it("a job that its run and its stopping worker hand back in the same moment is handed back once", async () => {
  const work = pipeline("returned", { input: z.object({}) }).stage("only", () => "ended");
  const { db, engine } = await open(work);
  const { id: jobId } = await engine.enqueue(work.job({}));
  const clock = databaseClock;
  const facts = { identity: thisProcess(), version: "test", kinds: ["returned"], slots: 1 };
  const workerId = await registerWorker(db, facts, { clock, leaseMs: 60_000 });
  const {
    jobs: [job],
  } = await claimJobs(db, { workerId, kinds: [{ kind: "returned", limitName: null }], count: 1, clock });
  const kind = "work";
  const lastEvent = job?.lastEvent ?? 0;
  const handle = { jobId, kind, workerId, batchId: null, limitName: null, lease: 1, lastEvent, reservation: undefined };
  const writer = createJobWriter({
    db,
    prepared: db,
    clock,
    hints: openHints({ db, listenUrl: null, logger: silentLogger }),
    createFollowUps: async () => [],
    followsBatches: false,
    onWritten: () => undefined,
    faultPoint: noFaults,
  });
  const handBack = () =>
    writer.write({ handle, write: { change: { transition: "release" }, events: [jobReleased("told to stop", 1)] } });
  expect(await Promise.all([handBack(), handBack()])).toEqual([true, false]);
  expect((await readStream(db, jobId)).map(({ type }) => type)).toEqual(["job_started", "job_released"]);
});

it("a batch that is cancelled while one of its jobs is started again has no job that goes on", async () => {
  const work = pipeline("sheet", { input: z.object({}) }).stage("only", () => "ended");
  const place = await open(work);
  const { db, engine } = place;
  const { id, jobIds } = await engine.createBatch({ pipeline: work as never, jobs: [work.job({}), work.job({})] });
  const [retried = "", blocked = ""] = [...jobIds].reverse();
  await engine.cancelJob(retried);
  // Whoever cancels the batch has to wait here, having read its jobs, while the other one is started again.
  const reached = Promise.withResolvers<void>();
  const letGo = Promise.withResolvers<void>();
  const holding = db.transaction(async (tx) => {
    await tx.query(sql`select from jobs where id = ${blocked} for update`);
    reached.resolve();
    await letGo.promise;
  });
  await reached.promise;
  const cancelling = engine.cancelBatch(id);
  await place.someoneWaits();
  await engine.retryJob(retried);
  letGo.resolve();
  await holding;
  expect(await cancelling).toBe(2);
  expect(await db.query(sql`select status, cancelled_jobs from batches where id = ${id}`)).toEqual([
    { status: "cancelled", cancelledJobs: 2 },
  ]);
  expect(await db.query(sql`select distinct status from jobs where batch_id = ${id}`)).toEqual([
    { status: "cancelled" },
  ]);
});
