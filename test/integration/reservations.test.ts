/** Jobs that a worker has claimed ahead of its free slots: nobody else gets them, and none is lost or run twice for it. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { databaseClock as clock } from "../../src/db/clock.ts";
import { sql } from "../../src/db/sql.ts";
import { pipeline } from "../../src/jobs/pipeline.ts";
import { rescueLostJobs } from "../../src/jobs/rescue-lost-jobs.ts";
import type { Worker } from "../../src/jobs/worker.ts";
import { type ClaimingWorker, registerClaimingWorker } from "../support/claiming-worker.ts";
import { type EnginePlace, openEnginePlace } from "../support/engine-place.ts";
import { jobEnded, jobWhen, readJob, readStream } from "../support/read-job.ts";
import { until } from "../support/until.ts";

const short = pipeline("short", { input: z.object({}) }).stage("only", () => "done");
const lost = pipeline("once", { input: z.object({}), whenLost: "fail" }).stage("only", () => "done");
const kinds = ["short", "once"];

describe("a job that is claimed ahead", () => {
  let place: EnginePlace;
  let worker: ClaimingWorker;
  let other: ClaimingWorker;

  beforeEach(async () => {
    place = await openEnginePlace({ pipelines: [short, lost] });
    worker = await registerClaimingWorker(place.db, kinds);
    other = await registerClaimingWorker(place.db, kinds);
  });
  afterEach(() => place.close());

  const typesOf = async (id: string) => (await readStream(place.db, id)).map(({ type }) => type);

  /** As every process does when it sees that `gone` is. */
  const rescue = (gone: ClaimingWorker) => {
    const { db, engine } = place;
    return rescueLostJobs({ db, clock, hints: engine.hints, createFollowUps: engine.createFollowUps, gone: [gone.id] });
  };

  async function reserveOne(kind = short) {
    const { id } = await place.engine.enqueue(kind.job({}));
    const [job] = await worker.reserve(place.db, 1);
    if (job?.id !== id) throw new Error("The job was not there to be claimed.");
    return job;
  }

  it("waits as before, and nobody else can claim it", async () => {
    const job = await reserveOne();
    expect(await readJob(place.db, job.id)).toMatchObject({ status: "pending", lease: 0, attempts: 0, lastEvent: 0 });
    expect(await other.claim(place.db, 10)).toEqual([]);
    expect(job).toMatchObject({ lease: 1, attempts: 1, input: {} });
  });

  it("may be started and completed by one write, and its stream tells of both", async () => {
    const job = await reserveOne();
    expect(await worker.change(place.db, job, { transition: "complete", result: 7 })).toHaveLength(1);
    expect(await readJob(place.db, job.id)).toMatchObject({ status: "completed", lease: 1, attempts: 1, result: 7 });
    expect(await typesOf(job.id)).toEqual(["job_started", "complete"]);
  });

  it("is handed back without an attempt, and claimed by others", async () => {
    const job = await reserveOne();
    await worker.change(place.db, job, { transition: "release" });
    expect(await readJob(place.db, job.id)).toMatchObject({ status: "pending", lease: 1, attempts: 0 });
    expect(await other.claim(place.db, 1)).toMatchObject([{ id: job.id, lease: 2, attempts: 1 }]);
    expect(await typesOf(job.id)).toEqual(["job_started", "release", "job_started"]);
  });

  it("goes back to the queue when its worker is lost, and what that one still writes is refused", async () => {
    const job = await reserveOne();
    expect(await rescue(worker)).toBe(1);
    const [again] = await other.reserve(place.db, 1);
    expect(again).toMatchObject({ id: job.id, lease: 2, attempts: 2 });
    expect(await worker.change(place.db, job, { transition: "complete" })).toEqual([]);
    expect(await other.change(place.db, again as typeof job, { transition: "complete" })).toHaveLength(1);
    expect(await typesOf(job.id)).toEqual(["job_started", "job_lost", "job_started", "complete"]);
    expect(await place.db.query(sql`select from holds where worker_id = ${worker.id}`)).toEqual([]);
  });

  it("fails when its worker is lost, if its pipeline wants that: it may have been started", async () => {
    const job = await reserveOne(lost);
    await rescue(worker);
    expect(await readJob(place.db, job.id)).toMatchObject({ status: "failed", errorCode: "LEASE_LOST", attempts: 1 });
  });

  it("that was completed before its worker was lost stays so", async () => {
    const job = await reserveOne();
    await worker.change(place.db, job, { transition: "complete" });
    expect(await rescue(worker)).toBe(0);
    expect(await readJob(place.db, job.id)).toMatchObject({ status: "completed", lease: 1 });
  });

  it("can be cancelled and started again: whoever held it has no say in it any more", async () => {
    const job = await reserveOne();
    await place.engine.cancelJob(job.id);
    expect(await worker.change(place.db, job, { transition: "complete" })).toEqual([]);
    await place.engine.retryJob(job.id);
    const [again] = await other.reserve(place.db, 1);
    expect(again?.id).toBe(job.id);
    expect(await worker.change(place.db, job, { transition: "complete" })).toEqual([]);
    // The hold of the first one still names it, and must not take it from the second.
    expect(await rescue(worker)).toBe(0);
    expect(await other.change(place.db, again as typeof job, { transition: "complete" })).toHaveLength(1);
  });

  it("that is cancelled while it waits is claimed by nobody", async () => {
    const { id } = await place.engine.enqueue(short.job({}));
    await place.engine.cancelJob(id);
    expect(await worker.reserve(place.db, 1)).toEqual([]);
    expect(await place.db.query(sql`select from queue`)).toEqual([]);
  });

  it("has its input also where it is too long for the queue", async () => {
    const long = "x".repeat(100_000);
    const { id } = await place.engine.enqueue({ ...short.job({}), input: { long } });
    const [job] = await worker.reserve(place.db, 1);
    expect(job).toMatchObject({ id, input: { long } });
  });

  it("is left alone by a claim where a person is about to change it", async () => {
    const { id } = await place.engine.enqueue(short.job({}));
    await place.db.transaction(async (tx) => {
      await tx.query(sql`select from jobs where id = ${id} for no key update`);
      expect(await worker.claim(place.db, 1)).toEqual([]);
    });
    expect(await worker.claim(place.db, 1)).toMatchObject([{ id }]);
  });

  it("is not counted under its limit by a claim that left it alone", async () => {
    const { db, engine } = place;
    await db.query(sql`insert into job_limits (name, max_running) values ('few', 2)`);
    const limited = await registerClaimingWorker(db, [{ kind: "short", limitName: "few" }]);
    const { id } = await engine.enqueue(short.job({}));
    await db.transaction(async (tx) => {
      await tx.query(sql`select from jobs where id = ${id} for no key update`);
      expect(await limited.claim(db, 1)).toEqual([]);
    });
    expect(await db.query(sql`select running from job_limits`)).toEqual([{ running: 0 }]);
    expect(await limited.claim(db, 1)).toMatchObject([{ id, limitName: "few" }]);
    expect(await db.query(sql`select running from job_limits`)).toEqual([{ running: 1 }]);
  });
});

describe("a worker that claims ahead", () => {
  const begun: string[] = [];
  let letGo = Promise.withResolvers<void>();
  const quick = pipeline("quick", { input: z.object({ waits: z.boolean() }) }).stage("only", async ({ input, job }) => {
    if (!input.waits) return;
    begun.push(job.id);
    await letGo.promise;
  });
  let place: EnginePlace;
  let worker: Worker;

  beforeEach(async () => {
    begun.length = 0;
    letGo = Promise.withResolvers();
    place = await openEnginePlace({ pipelines: [quick] });
    // Short ones first, so that the worker learns to claim many at a time.
    const warmUp = await place.engine.enqueueMany(Array.from({ length: 200 }, () => quick.job({ waits: false })));
    worker = await place.engine.startWorker({ slots: 2 });
    await place.allEnded(warmUp);
  });
  afterEach(async () => {
    letGo.resolve();
    await place.close();
  });

  it("lets the row of a job that is not over at once say that it runs", async () => {
    const ids = await place.engine.enqueueMany(Array.from({ length: 20 }, () => quick.job({ waits: true })));
    await until(() => begun.length === 2);
    for (const id of begun) await jobWhen(place.db, id, ({ status }) => status === "running");
    // What no slot came free for is handed back, for others.
    await until(async () => {
      const waiting = await place.db.query(sql`select unnest(job_ids) from queue where job_ids && ${ids}::uuid[]`);
      return waiting.length === 18;
    });
    letGo.resolve();
    await place.allEnded(ids);
    for (const id of ids) expect(await jobEnded(place.db, id)).toMatchObject({ status: "completed", attempts: 1 });
  });

  it("leaves no hold behind", async () => {
    const ids = await place.engine.enqueueMany(Array.from({ length: 500 }, () => quick.job({ waits: false })));
    await place.allEnded(ids);
    await worker.stop(1_000);
    expect(await place.db.query(sql`select from holds`)).toEqual([]);
  });
});
