/** Promise 2: a worker that lives keeps its jobs, however busy they keep it; one that stands still loses them. */
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { sql } from "../../src/db/sql.ts";
import { pipeline } from "../../src/jobs/pipeline.ts";
import { rescueLostJobs } from "../../src/jobs/rescue-lost-jobs.ts";
import { blocksThreadPool, computes, gated, gatedOnce, waits } from "../fixtures/pipelines/lease.ts";
import { registerClaimingWorker } from "../support/claiming-worker.ts";
import { type EnginePlace, openEnginePlace } from "../support/engine-place.ts";
import { batchEnded, eventTypes, jobEnded, jobWhen, readErrors, readJob } from "../support/read-job.ts";
import { openTestEngine } from "../support/test-engine.ts";
import { useWorkerProcesses } from "../support/worker-process.ts";

const file = import.meta.resolve("../fixtures/pipelines/lease.ts");
const pipelines = [blocksThreadPool, computes, gated, gatedOnce, waits];

describe("a lease", () => {
  const workers = useWorkerProcesses();
  let place: EnginePlace;

  beforeEach(async () => {
    place = await openEnginePlace({ pipelines });
  });
  afterEach(() => place.close());

  it("is kept through a blocked thread pool, a computing thread and a long wait, for several of its lengths", async () => {
    const { engine, db, url } = place;
    const leaseMs = 2_500;
    const jobs = await engine.enqueueMany(
      [blocksThreadPool, computes, waits].map((busy) => busy.job({ ms: leaseMs * 2.2 })),
    );
    const lease = { leaseMs, heartbeatMs: 400, pollMs: 200 };
    await using busy = await workers.start({ url, pipelines: file, ...lease });
    await Promise.all(jobs.map((id) => jobWhen(db, id, ({ status }) => status === "running")));
    const startedAt = await Promise.all(jobs.map(async (id) => (await readJob(db, id)).startedAt));
    // Someone has to be there who would take the jobs.
    await using other = await workers.start({ url, pipelines: file, ...lease });
    const ended = await Promise.all(jobs.map((id) => jobEnded(db, id)));

    for (const [index, job] of ended.entries()) {
      expect(job).toMatchObject({ status: "completed", attempts: 1, lease: 1, startedAt: startedAt[index] });
      expect(await eventTypes(db, job.id)).toEqual(["job_started", "job_completed"]);
    }
    const rows = await db.query<{ id: string; lostAt: Date | null }>(sql`select id, lost_at from workers`);
    expect(rows.toSorted((a, b) => (a.id < b.id ? -1 : 1))).toEqual(
      [busy.workerId, other.workerId].toSorted().map((id) => ({ id, lostAt: null })),
    );
  });

  it("is lost by a process that stands still, and another one goes on", async () => {
    const { engine, db, url } = place;
    const lease = { leaseMs: 1_000, heartbeatMs: 200, pollMs: 100 };
    await using stopped = await workers.start({ url, pipelines: file, ...lease });
    const { id } = await engine.enqueue(gated.job({}));
    const { id: failing } = await engine.enqueue(gatedOnce.job({}));
    for (const jobId of [id, failing]) await stopped.reported("begun", (data) => data.jobId === jobId);
    await stopped.pause();

    await using other = await workers.start({ url, pipelines: file, ...lease });
    other.open("attempt 2");
    const job = await jobEnded(db, id);
    expect(job).toMatchObject({ status: "completed", attempts: 2, lease: 2, result: { pid: other.pid } });
    expect(await eventTypes(db, id)).toEqual(["job_started", "job_lost", "job_started", "job_completed"]);
    expect(await readErrors(db, id)).toMatchObject([{ attempt: 1, code: "LEASE_LOST", workerId: stopped.workerId }]);
    expect(await jobEnded(db, failing)).toMatchObject({ status: "failed", attempts: 1, errorCode: "LEASE_LOST" });
    expect(await eventTypes(db, failing)).toEqual(["job_started", "job_lost", "job_failed"]);
  });

  it("that was lost costs an attempt, and the last one fails the job with what happened", async () => {
    const { engine, db } = place;
    const { id } = await engine.enqueue(gated.job({}));
    for (let attempt = 1; attempt <= 3; attempt++) {
      await (await registerClaimingWorker(db, ["gated"], -1)).claimOne(db);
      expect(await rescueLostJobs(engine)).toBe(1);
    }
    expect(await readJob(db, id)).toMatchObject({ status: "failed", attempts: 3, errorCode: "LEASE_LOST" });
    const log = (await readErrors(db, id)).map(({ attempt, code }) => ({ attempt, code }));
    expect(log).toEqual([1, 2, 3].map((attempt) => ({ attempt, code: "LEASE_LOST" })));
    expect(await (await registerClaimingWorker(db, ["gated"])).claim(db, 1)).toEqual([]);
  });

  it("lost by many rescuers at once is taken back once", async () => {
    const { engine, db } = place;
    const ids = await engine.enqueueMany(Array.from({ length: 30 }, () => gated.job({})));
    await (await registerClaimingWorker(db, ["gated"], -1)).claim(db, 30);
    const rescued = await Promise.all(Array.from({ length: 8 }, () => rescueLostJobs(engine)));
    expect(rescued.reduce((sum, jobs) => sum + jobs)).toBe(30);
    for (const id of ids) expect(await eventTypes(db, id)).toEqual(["job_started", "job_lost"]);
  });

  it("lost with the last job of a batch ends the batch, with all that follows", async () => {
    const input = z.object({});
    const follower = pipeline("follower", { input }).stage("nothing", () => undefined);
    const fragile = pipeline("fragile", { input, whenLost: "fail" })
      .stage("nothing", () => undefined)
      .afterBatch(() => [follower.job({})]);
    const engine = openTestEngine({ url: place.url, pipelines: [fragile, follower], listenUrl: null });
    onTestFinished(() => engine.close());
    const { db } = place;
    const { id } = await engine.createBatch({ pipeline: fragile, jobs: [fragile.job({})] });
    await (await registerClaimingWorker(db, ["fragile"], -1)).claimOne(db);
    await rescueLostJobs(engine);
    expect(await batchEnded(db, id)).toMatchObject({ status: "failed", failedJobs: 1 });
    expect(await db.query(sql`select kind, status from jobs where batch_id is null`)).toEqual([
      { kind: "follower", status: "pending" },
    ]);
  });
});
