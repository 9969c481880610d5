/**
 * The test matrix of seed 000 (§19a), categories 1 and 6, on the engine: a book's lock is the job's lock key, stale means
 * that the lease has run out, and a book's job fails when its worker is lost.
 */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { sql } from "../../src/db/sql.ts";
import { TerminalError } from "../../src/errors.ts";
import { pipeline } from "../../src/jobs/pipeline.ts";
import { thisProcess } from "../../src/jobs/process-identity.ts";
import { claimJobs } from "../../src/jobs/queries/claim-jobs.ts";
import { writeJobs } from "../../src/jobs/queries/write-jobs.ts";
import { readJob as readJobDetail } from "../../src/jobs/read-jobs.ts";
import { rescueLostJobs } from "../../src/jobs/rescue-lost-jobs.ts";
import type { StageContext } from "../../src/jobs/stage-context.ts";
import { registerWorker } from "../../src/jobs/worker-lease.ts";
import { createPipelines } from "../fixtures/book.ts";
import { startFaultWorker } from "../support/fault-worker.ts";
import { eventTypes, type JobRecord, jobEnded, readErrors, readItems, readJob } from "../support/read-job.ts";
import { createTestClock, type TestClock } from "../support/test-clock.ts";
import { createTestDatabase, type TestDatabase } from "../support/test-database.ts";
import { openTestEngine, type TestEngine } from "../support/test-engine.ts";
import { until } from "../support/until.ts";

const leaseMs = 120_000;
/** Longer than any test: the worker never sends a heartbeat. */
const never = 2_000_000_000;

interface Held {
  context: StageContext<{ bookId: string }, object>;
  resolve(output: unknown): void;
  reject(error: unknown): void;
}

const held = new Map<string, Held>();

/** A book's job that does nothing until the test says so. */
const book = pipeline("book", {
  input: z.object({ bookId: z.string() }),
  lockKey: ({ bookId }) => `book:${bookId}`,
  whenLost: "fail",
}).stage(
  "pages",
  (context) => new Promise((resolve, reject) => void held.set(context.job.id, { context, resolve, reject })),
);

let database: TestDatabase;
let clock: TestClock;
let engine: TestEngine;

beforeEach(async () => {
  // One connection: the test that drops all others must not drop its own.
  database = await createTestDatabase({ maxConnections: 1 });
  clock = await createTestClock(database.db);
  engine = openTestEngine({ url: database.url, pipelines: [book], clock });
});

afterEach(async () => {
  for (const { resolve } of held.values()) resolve("done");
  held.clear();
  await engine.close();
  await database.drop();
});

const acquire = (bookId = "1") => engine.enqueue(book.job({ bookId }));
const start = () => engine.startWorker({ leaseMs, heartbeatMs: never });
const running = (id: string) => until(() => held.get(id));
const rescue = () => rescueLostJobs(engine);

/** A job that runs, on a worker that will not be heard of again. */
async function acquireAndLose(bookId = "1"): Promise<string> {
  await start();
  const { id } = await acquire(bookId);
  const { context } = await running(id);
  await context.progress({ total: 5, completed: 2, lastCompleted: "2" });
  await clock.advance(leaseMs + 1);
  return id;
}

function expectFailed(job: JobRecord): void {
  expect(job.status).toBe("failed");
  expect(job.completedAt).not.toBeNull();
  expect(job.errorCode).toMatch(/./);
  expect(job.errorMessage).toMatch(/\S{3,}/);
  expect(job.errorMessage).not.toMatch(/^unknown error\.?$/i);
  expect(job.workerId).toBeNull();
}

describe("category 1: the job's states and its lock", () => {
  it("1.1 acquire, start, progress, complete: pending → running → completed, with completed_at", async () => {
    const { id } = await acquire();
    expect(await readJob(database.db, id)).toMatchObject({ status: "pending", startedAt: null, completedAt: null });
    await start();
    const { context, resolve } = await running(id);
    expect(await readJob(database.db, id)).toMatchObject({
      status: "running",
      completedAt: null,
      startedAt: await clock.read(),
    });
    await context.progress({ total: 5, completed: 3, current: "4" });
    expect(await readJob(database.db, id)).toMatchObject({ totalItems: 5, completedItems: 3, currentItem: "4" });
    resolve("done");
    const job = await jobEnded(database.db, id);
    expect(job).toMatchObject({ status: "completed", errorMessage: null, completedAt: await clock.read() });
    expect(await eventTypes(database.db, id)).toEqual(["job_started", "job_progress", "job_completed"]);
  });

  it("1.2 acquire, start, fail: pending → running → failed, with error_message", async () => {
    const { id } = await acquire();
    await start();
    (await running(id)).reject(new TerminalError("NO_SCANS", "The book has no scans."));
    const job = await jobEnded(database.db, id);
    expectFailed(job);
    expect(job).toMatchObject({ errorCode: "NO_SCANS", errorMessage: "The book has no scans." });
  });

  it("1.3 acquiring twice for the same book is refused, naming the job that has it", async () => {
    const { id } = await acquire();
    await expect(acquire()).rejects.toMatchObject({ code: "LOCK_HELD", details: { lockKey: "book:1", jobId: id } });
    expect((await acquire("2")).created).toBe(true);
  });

  it("1.4 after the job has completed, failed or was cancelled, a new one is created", async () => {
    await start();
    const ends: ((id: string) => unknown)[] = [
      async (id) => (await running(id)).resolve("done"),
      async (id) => (await running(id)).reject(new TerminalError("X", "It did not work.")),
      (id) => engine.cancelJob(id),
    ];
    for (const end of ends) {
      const { id } = await acquire();
      await end(id);
      await jobEnded(database.db, id);
    }
    expect((await acquire()).created).toBe(true);
  });

  it("1.5 invalid transitions raise, naming both states, and change nothing", async () => {
    const { id: waiting } = await acquire("waiting");
    const { db } = database;
    const before = await readJob(db, waiting);
    await expect(engine.retryJob(waiting)).rejects.toMatchObject({
      code: "INVALID_TRANSITION",
      details: { from: "pending" },
    });
    // Nobody holds it, so nobody can end it.
    for (const transition of ["complete", "fail", "backOff", "release"] as const) {
      expect(
        await writeJobs(db, [{ jobId: waiting, lease: 0, change: { transition }, events: [] }], { clock }),
      ).toEqual([]);
    }
    expect(await readJob(db, waiting)).toEqual(before);

    await start();
    const { id } = await acquire();
    const { resolve } = await running(id);
    await expect(engine.retryJob(id)).rejects.toMatchObject({ details: { from: "running", to: "pending" } });
    resolve("done");
    const done = await jobEnded(db, id);
    await expect(engine.cancelJob(id)).rejects.toThrow(/completed.*cancelled/);
    await expect(engine.retryJob(id)).rejects.toThrow(/completed.*pending/);
    expect(await readJob(db, id)).toEqual(done);
  });

  it("1.6 a job whose heartbeat has expired is failed on the next read", async () => {
    const id = await acquireAndLose();
    expect(await readJobDetail(engine, id)).toMatchObject({ status: "failed", errorCode: "LEASE_LOST" });
    expectFailed(await readJob(database.db, id));
  });

  it("1.7 so is one whose worker never sent a heartbeat, after the lease and not before", async () => {
    await start();
    const { id } = await acquire();
    await running(id);
    await clock.advance(leaseMs - 1);
    expect((await readJobDetail(engine, id)).status).toBe("running");
    await clock.advance(2);
    expect((await readJobDetail(engine, id)).status).toBe("failed");
  });

  it("1.8 acquiring while a stale job has the lock fails that job and creates the new one", async () => {
    const stale = await acquireAndLose();
    const { id, created } = await acquire();
    expect(created).toBe(true);
    expectFailed(await readJob(database.db, stale));
    expect((await readJob(database.db, id)).status).not.toBe("failed");
  });

  it("1.9 progress after the job was ended by others is a no-op and does not crash", async () => {
    const id = await acquireAndLose();
    const { context } = await running(id);
    await rescue();
    const failed = await readJob(database.db, id);
    await context.progress({ completed: 4, lastCompleted: "4" });
    expect(await readJob(database.db, id)).toEqual(failed);
  });
});

describe("category 6: races, restarts and error paths", () => {
  it("6.1 a start raced with the verdict that its worker is stale ends in one of the two", async () => {
    const { db } = database;
    const other = openTestEngine({ url: database.url, pipelines: [book], clock });
    for (let round = 0; round < 25; round++) {
      const facts = { identity: thisProcess(), version: "test", kinds: ["book"], slots: 1 };
      const workerId = await registerWorker(db, facts, { clock, leaseMs });
      const { id } = await acquire(String(round));
      await clock.advance(leaseMs + 1);
      const kinds = [{ kind: "book", limitName: null }];
      await Promise.all([claimJobs(engine.db, { workerId, kinds, count: 1, clock }), rescueLostJobs(other)]);
      const job = await readJob(db, id);
      if (job.status === "running") expect(job).toMatchObject({ workerId, completedAt: null, errorMessage: null });
      else if (job.status === "failed") expectFailed(job);
      else expect(job).toMatchObject({ status: "pending", workerId: null });
      // However it went, a worker that is gone keeps nothing.
      await rescue();
      expect((await readJob(db, id)).workerId).toBeNull();
      if (job.status === "pending") await engine.cancelJob(id);
    }
    await other.close();
  });

  it("6.2 of two that acquire at the same moment exactly one gets it", async () => {
    const other = openTestEngine({ url: database.url, pipelines: [book], clock });
    for (let round = 0; round < 25; round++) {
      const bookId = String(round);
      const answers = await Promise.allSettled([engine, other].map((each) => each.enqueue(book.job({ bookId }))));
      const won = answers.flatMap((answer) => (answer.status === "fulfilled" ? [answer.value.id] : []));
      const refused = answers.flatMap((answer) => (answer.status === "rejected" ? [answer.reason] : []));
      expect(won).toHaveLength(1);
      expect(refused).toMatchObject([{ code: "LOCK_HELD", details: { jobId: won[0] } }]);
      const active = await database.db.query(sql`
        select from jobs where lock_key = ${`book:${bookId}`} and status in ('pending', 'running')`);
      expect(active).toHaveLength(1);
    }
    await other.close();
  });

  it("6.3 a terminal transition whose connection breaks is made again, once", async () => {
    const { db } = database;
    let breaks = 0;
    await engine.startWorker({
      leaseMs,
      heartbeatMs: never,
      async faultPoint(point, writes) {
        if (point !== "commit.inside" || breaks > 0 || writes[0]?.write.change?.transition !== "fail") return;
        breaks++;
        await db.query(sql`
          select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`);
      },
    });
    const { id } = await acquire();
    (await running(id)).reject(new TerminalError("NO_SCANS", "The book has no scans."));
    const job = await jobEnded(db, id);
    expectFailed(job);
    expect(breaks).toBe(1);
    expect(job.errorCode).toBe("NO_SCANS");
    expect(await readErrors(db, id)).toHaveLength(1);
    expect((await eventTypes(db, id)).filter((type) => type === "job_failed")).toHaveLength(1);
  });

  it("6.3 and if it is never made, the job is failed by its lease", async () => {
    const { db, url } = database;
    const real = createPipelines({ tell: () => undefined });
    const plain = openTestEngine({ url, pipelines: Object.values(real) });
    const fault = { point: "commit.before", transition: "fail" } as const;
    const worker = await startFaultWorker({ url, fixture: "book.ts", fault });
    const { id } = await plain.enqueue(real.book.job({ bookId: "1", brokenIndex: true }));
    expect(await worker.exited).toBe("SIGKILL");
    expect((await readJob(db, id)).status).toBe("running");
    await db.query(sql`update workers set lease_expires_at = now() - interval '1 second'`);
    expect(await readJobDetail(plain, id)).toMatchObject({
      status: "failed",
      errorCode: "LEASE_LOST",
      completedItems: 5,
    });
    await plain.close();
  });

  it("6.4 acquiring while the job runs is refused and does not disturb it", async () => {
    await start();
    const { id } = await acquire();
    const { resolve, context } = await running(id);
    const before = await readJob(database.db, id);
    await expect(acquire()).rejects.toMatchObject({ code: "LOCK_HELD", details: { jobId: id } });
    expect(await readJob(database.db, id)).toEqual(before);
    expect(context.signal.aborted).toBe(false);
    resolve("done");
    expect((await jobEnded(database.db, id)).status).toBe("completed");
  });

  it("6.5 after a restart the stale job is failed and the new one runs", async () => {
    const stale = await acquireAndLose();
    const { id } = await acquire();
    expectFailed(await readJob(database.db, stale));
    await start();
    (await running(id)).resolve("done");
    expect((await jobEnded(database.db, id)).status).toBe("completed");
    // The stale one cannot be retried into the middle of another: one active job for each book.
    const { id: next } = await acquire();
    await expect(engine.retryJob(stale)).rejects.toMatchObject({ code: "LOCK_HELD", details: { jobId: next } });
  });

  it("6.6 the same progress twice is written once", async () => {
    await start();
    const { id } = await acquire();
    const { context } = await running(id);
    await context.progress({ total: 10, current: "5", completed: 5, failed: 0 });
    const once = await readJob(database.db, id);
    await context.progress({ total: 10, current: "5", completed: 5, failed: 0 });
    expect(await readJob(database.db, id)).toEqual(once);
  });

  it("6.7 progress that comes out of order takes nothing back that was completed", async () => {
    await start();
    const { id } = await acquire();
    const { context } = await running(id);
    await context.progress({ total: 10, completed: 5 });
    await context.progress({ total: 10, completed: 3 });
    expect((await readJob(database.db, id)).completedItems).toBe(5);
  });

  describe("6.9 after any failure the invariants hold", () => {
    const real = createPipelines({ tell: () => undefined });

    it("of a page: the job completes and the page keeps its error", async () => {
      const plain = openTestEngine({ url: database.url, pipelines: Object.values(real) });
      await plain.startWorker();
      const { id } = await plain.enqueue(real.book.job({ bookId: "1", brokenPage: 3 }));
      const job = await jobEnded(database.db, id);
      expect(job).toMatchObject({
        status: "completed",
        completedItems: 4,
        failedItems: 1,
        lastCompletedItem: "5",
        errorMessage: null,
      });
      expect((await readItems(database.db, id)).find(({ done }) => !done)).toMatchObject({
        key: "3",
        error: { error: "Page 3 has no text.", error_type: "terminal", code: "EMPTY_OCR" },
      });
      await plain.close();
    });

    it("of the whole job", async () => {
      const plain = openTestEngine({ url: database.url, pipelines: Object.values(real) });
      await plain.startWorker();
      const { id } = await plain.enqueue(real.book.job({ bookId: "1", brokenPage: 4, brokenIndex: true }));
      const job = await jobEnded(database.db, id);
      expectFailed(job);
      expect(job).toMatchObject({
        errorMessage: "The page index is corrupt.",
        completedItems: 4,
        failedItems: 1,
        lastCompletedItem: "5",
      });
      expect((await readItems(database.db, id)).filter(({ error }) => error)).toHaveLength(1);
      await plain.close();
    });

    it("of the process: the message names the last good page", async () => {
      const plain = openTestEngine({ url: database.url, pipelines: Object.values(real) });
      const worker = await startFaultWorker({ url: database.url, fixture: "book.ts" });
      const { id } = await plain.enqueue(real.book.job({ bookId: "1", brokenPage: 2, endlessPage: 4 }));
      await worker.hears("page", ({ jobId, page }) => jobId === id && page === 4);
      await worker.kill();
      await plain.startWorker();
      const job = await jobEnded(database.db, id);
      expectFailed(job);
      expect(job).toMatchObject({
        errorCode: "LEASE_LOST",
        completedItems: 2,
        failedItems: 1,
        totalItems: 5,
        lastCompletedItem: "3",
      });
      expect(job.errorMessage).toMatch(/interrupted.*heartbeat.*item 3/);
      expect((await readItems(database.db, id)).filter(({ error }) => error).map(({ key }) => key)).toEqual(["2"]);
      await plain.close();
    });
  });

  it("6.10 progress of a worker that does not know that its job was failed is a silent no-op", async () => {
    const id = await acquireAndLose();
    const { context } = await running(id);
    const failed = await readJobDetail(engine, id).then(() => readJob(database.db, id));
    expectFailed(failed);
    await expect(context.progress({ completed: 5, message: "still here" })).resolves.toBeUndefined();
    expect(await readJob(database.db, id)).toEqual(failed);
  });
});
