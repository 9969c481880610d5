/** Promise 6: at most one active job for each lock key; whoever comes second is told which job has it. */
import { afterEach, beforeEach, expect, it } from "vitest";
import { sql } from "../../src/db/sql.ts";
import { locking, lockingOnce } from "../fixtures/pipelines/creation.ts";
import { registerClaimingWorker } from "../support/claiming-worker.ts";
import { type EnginePlace, openEnginePlace } from "../support/engine-place.ts";
import { raceInProcesses } from "../support/race-in-processes.ts";
import { readJob } from "../support/read-job.ts";
import { describeOnEachServer } from "../support/test-database.ts";

const enqueueRace = import.meta.resolve("../fixtures/races/enqueue.ts");
const book = { book: "1" };

describeOnEachServer("a lock key", (server) => {
  let place: EnginePlace;

  beforeEach(async () => {
    place = await openEnginePlace({ pipelines: [locking, lockingOnce], server });
  });
  afterEach(() => place.close());

  it("goes to one of many racing creators, and the others are told which job has it", async () => {
    const outcomes = await raceInProcesses(4, enqueueRace, {
      url: place.url,
      pipeline: "locking",
      input: book,
      calls: 10,
    });
    const [id, ...more] = outcomes.flatMap(({ answer }) => (answer ? (answer as { id: string }).id : []));
    expect(more).toEqual([]);
    const refused = outcomes.filter(({ answer }) => !answer);
    expect(refused).toHaveLength(39);
    for (const outcome of refused) {
      expect(outcome).toMatchObject({ code: "LOCK_HELD", details: { lockKey: "book:1", jobId: id } });
      expect(outcome.message).toContain(String(id));
    }
  });

  it("refuses a batch that needs it, and nothing of the batch is written", async () => {
    const { engine, db } = place;
    const { id } = await engine.enqueue(locking.job(book));
    const jobs = [locking.job({ book: "2" }), locking.job(book)];
    await expect(engine.createBatch({ pipeline: locking, jobs })).rejects.toMatchObject({
      code: "LOCK_HELD",
      details: { jobId: id },
    });
    const [rows] = await db.query(
      sql`select (select count(*) from jobs) as jobs, (select count(*) from batches) as batches`,
    );
    expect(rows).toEqual({ jobs: 1, batches: 0 });
  });

  it.each(["complete", "fail", "cancel"] as const)("is free once its job has ended by %s", async (ending) => {
    const { engine, db } = place;
    const { id } = await engine.enqueue(locking.job(book));
    const worker = await registerClaimingWorker(db, ["locking"]);
    const job = await worker.claimOne(db);
    await expect(engine.enqueue(locking.job(book))).rejects.toMatchObject({
      code: "LOCK_HELD",
      details: { jobId: id },
    });
    const error = { code: "BROKEN", message: "broken", retryable: false };
    if (ending === "cancel") await engine.cancelJob(id);
    else await worker.change(db, job, { transition: ending, error: ending === "fail" ? error : undefined });
    expect(await engine.enqueue(locking.job(book))).toMatchObject({ created: true });
  });

  it("is kept by a job that waits to be tried again, and by one that was lost and goes on", async () => {
    const { engine, db } = place;
    const { id } = await engine.enqueue(locking.job(book));
    const worker = await registerClaimingWorker(db, ["locking"]);
    const error = { code: "BUSY", message: "busy", retryable: true };
    await worker.change(db, await worker.claimOne(db), { transition: "backOff", error, delayMs: 0 });
    const held = { code: "LOCK_HELD", details: { jobId: id } };
    await expect(engine.enqueue(locking.job(book))).rejects.toMatchObject(held);
    await (await registerClaimingWorker(db, ["locking"], -1)).claimOne(db);
    await expect(engine.enqueue(locking.job(book))).rejects.toMatchObject(held);
    expect(await readJob(db, id)).toMatchObject({ status: "pending", lease: 2 });
  });

  it("of a lost job that is not to be tried again is free for a new creator at once", async () => {
    const { engine, db } = place;
    const { id: lost } = await engine.enqueue(lockingOnce.job(book));
    await (await registerClaimingWorker(db, ["locking.once"], -1)).claimOne(db);
    const { id } = await engine.enqueue(lockingOnce.job(book));
    expect(await readJob(db, lost)).toMatchObject({ status: "failed", errorCode: "LEASE_LOST" });
    expect(await readJob(db, id)).toMatchObject({ status: "pending" });
  });

  it("of a lost job goes to one of many racing creators, and the others are told of that one", async () => {
    const { engine, db, url } = place;
    await engine.enqueue(lockingOnce.job(book));
    await (await registerClaimingWorker(db, ["locking.once"], -1)).claimOne(db);
    const outcomes = await raceInProcesses(4, enqueueRace, { url, pipeline: "lockingOnce", input: book, calls: 5 });
    const [id, ...more] = outcomes.flatMap(({ answer }) => (answer ? (answer as { id: string }).id : []));
    expect(more).toEqual([]);
    const told = new Set(outcomes.flatMap(({ details }) => details?.jobId ?? []));
    expect([...told]).toEqual([id]);
  });

  it("keeps a person from trying an ended job again while another one has it", async () => {
    const { engine } = place;
    const { id: ended } = await engine.enqueue(locking.job(book));
    await engine.cancelJob(ended);
    const { id } = await engine.enqueue(locking.job(book));
    await expect(engine.retryJob(ended)).rejects.toMatchObject({ code: "LOCK_HELD", details: { jobId: id } });
    await engine.cancelJob(id);
    await engine.retryJob(ended);
    await expect(engine.retryJob(id)).rejects.toMatchObject({ code: "LOCK_HELD", details: { jobId: ended } });
  });
});
