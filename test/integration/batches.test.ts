/**
 * A batch's counters are what its jobs' rows say, whatever mix of ends they come to; it ends once for each time its last
 * job ends, with one event and one set of following jobs.
 */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Queryable } from "../../src/db/database.ts";
import { sql } from "../../src/db/sql.ts";
import { createPipelines, type Outcome } from "../fixtures/outcomes.ts";
import { type FaultWorker, startFaultWorker } from "../support/fault-worker.ts";
import type { ServerName } from "../support/postgres-servers.ts";
import {
  batchEnded,
  countBatch,
  eventTypes,
  jobEnded,
  jobWhen,
  readBatch,
  readJob,
  readStream,
} from "../support/read-job.ts";
import { createTestDatabase, describeOnEachServer, type TestDatabase } from "../support/test-database.ts";
import { openTestEngine, type TestEngine } from "../support/test-engine.ts";
import { until } from "../support/until.ts";

const ends = ["batch_completed", "batch_cancelled"];

async function readEnds(db: Queryable, batchId: string) {
  return (await readStream(db, batchId)).filter(({ type }) => ends.includes(type));
}

async function expectExact(db: Queryable, batchId: string): Promise<void> {
  const { counters, rows, turns } = await countBatch(db, batchId);
  expect(counters).toEqual(rows);
  expect(turns).toMatchObject({ says: (turns as { runs: number }).runs });
}

/** The states that the jobs after this batch were told, each of which has completed. */
async function summariesOf(db: Queryable, batchId: string): Promise<string[]> {
  const find = () =>
    db.query<{ status: string; told: string }>(sql`
      select status, input ->> 'status' as told from jobs where kind = 'summary' and input ->> 'batch' = ${batchId} order by id`);
  await until(async () => (await find()).every(({ status }) => status === "completed"));
  return (await find()).map(({ told }) => told);
}

interface Suite {
  database: TestDatabase;
  engine: TestEngine;
  workers: FaultWorker[];
  createBatch(...outcomes: Outcome[]): ReturnType<TestEngine["createBatch"]>;
}

/** A database and an engine for each test; worker processes that are left are ended with it. */
function useSuite(server?: ServerName): Suite {
  const { part, summary } = createPipelines({ tell: () => undefined });
  const suite = {} as Suite;

  beforeEach(async () => {
    suite.database = await createTestDatabase({ server });
    suite.engine = openTestEngine({ url: suite.database.url, pipelines: [part, summary] });
    suite.workers = [];
    suite.createBatch = (...outcomes) =>
      suite.engine.createBatch({
        pipeline: part,
        jobs: outcomes.map((outcome) => part.job({ outcome })),
        data: { name: "Monday" },
      });
  });

  afterEach(async () => {
    await Promise.all(suite.workers.map((worker) => worker.kill()));
    await suite.engine.close();
    await suite.database.drop();
  });
  return suite;
}

describeOnEachServer("a batch", (server) => {
  const suite = useSuite(server);

  it.each<[string, Outcome[], object]>([
    ["completed", ["complete", "flaky", "complete"], { completedJobs: 3, failedJobs: 0 }],
    ["partial", ["complete", "fail", "complete"], { completedJobs: 2, failedJobs: 1 }],
    ["failed", ["fail", "fail"], { completedJobs: 0, failedJobs: 2 }],
  ])("ends as %s, once, and says so with its numbers", async (status, outcomes, numbers) => {
    const { createBatch, engine } = suite;
    const { db } = suite.database;
    await engine.startWorker();
    const { id } = await createBatch(...outcomes);
    const batch = await batchEnded(db, id);
    expect(batch).toMatchObject({ status, totalJobs: outcomes.length, cancelledJobs: 0, ...numbers });
    expect(batch.completedAt).not.toBeNull();
    await expectExact(db, id);
    const events = await readStream(db, id);
    expect(events[0]).toMatchObject({
      type: "batch_started",
      data: { batchId: id, totalJobs: outcomes.length, name: "Monday" },
    });
    expect(events.at(-1)).toMatchObject({ type: "batch_completed", data: { status, cancelledJobs: 0, ...numbers } });
    expect(await readEnds(db, id)).toHaveLength(1);
    expect(await summariesOf(db, id)).toEqual([status]);
  });

  it("starts as soon as it is there, whatever has ended before it", async () => {
    const { createBatch, engine } = suite;
    const { db } = suite.database;
    // With one slot a claim looks at one batch at a time; nobody would wait for a poll of ten minutes.
    await engine.startWorker({ slots: 1, pollMs: 600_000 });
    for (let round = 0; round < 10; round++) {
      const { id } = await createBatch("complete", "complete");
      expect((await batchEnded(db, id)).status).toBe("completed");
    }
  });

  it("is cancelled with all that has not ended, and keeps what has", async () => {
    const { createBatch, engine } = suite;
    const { db } = suite.database;
    await engine.startWorker();
    const { id, jobIds } = await createBatch("complete", "fail", "hang", "hang");
    await until(async () =>
      (await Promise.all(jobIds.map((jobId) => readJob(db, jobId)))).every(({ status }, i) =>
        i < 2 ? status !== "pending" && status !== "running" : status === "running",
      ),
    );
    expect(await engine.cancelBatch(id)).toBe(2);
    expect(await batchEnded(db, id)).toMatchObject({
      status: "cancelled",
      completedJobs: 1,
      failedJobs: 1,
      cancelledJobs: 2,
    });
    await expectExact(db, id);
    expect(await readEnds(db, id)).toMatchObject([{ type: "batch_cancelled", data: { cancelledJobs: 2 } }]);
    expect(await engine.cancelBatch(id)).toBe(0);
    expect(await readEnds(db, id)).toHaveLength(1);
  });

  it("is cancelled when its jobs were cancelled one by one, and partial when some of them were", async () => {
    const { createBatch, engine } = suite;
    const { db } = suite.database;
    const all = await createBatch("complete", "complete");
    for (const jobId of all.jobIds) await engine.cancelJob(jobId);
    expect((await readBatch(db, all.id)).status).toBe("cancelled");
    const some = await createBatch("complete", "complete");
    await engine.cancelJob(some.jobIds[0] as string);
    await engine.startWorker();
    expect(await batchEnded(db, some.id)).toMatchObject({ status: "partial", completedJobs: 1, cancelledJobs: 1 });
    for (const { id } of [all, some]) {
      await expectExact(db, id);
      expect(await readEnds(db, id)).toHaveLength(1);
    }
  });

  it("is opened again by a retry, and ends once more", async () => {
    const { createBatch, engine } = suite;
    const { db } = suite.database;
    await engine.startWorker();
    const { id, jobIds } = await createBatch("complete", "repaired", "repaired");
    expect((await batchEnded(db, id)).status).toBe("partial");
    await engine.retryJob(jobIds[1] as string);
    await jobEnded(db, jobIds[1] as string);
    expect(await batchEnded(db, id)).toMatchObject({ status: "partial", completedJobs: 2, failedJobs: 1 });
    expect(await engine.retryBatch(id)).toBe(1);
    await jobEnded(db, jobIds[2] as string);
    expect(await batchEnded(db, id)).toMatchObject({ status: "completed", completedJobs: 3, failedJobs: 0 });
    await expectExact(db, id);
    expect((await readEnds(db, id)).map(({ data }) => data.status)).toEqual(["partial", "partial", "completed"]);
    expect(await summariesOf(db, id)).toEqual(["partial", "partial", "completed"]);
    expect((await eventTypes(db, id)).filter((type) => type === "batch_retried")).toHaveLength(2);
  });

  it("counts right after any mix of ends, cancels and retries", async () => {
    const { createBatch, engine } = suite;
    const { db } = suite.database;
    await recordBatchHistory(db);
    await engine.startWorker({ slots: 6 });
    const choose = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)] as T;
    for (let round = 0; round < 6; round++) {
      const outcomes = Array.from({ length: 8 }, () =>
        choose<Outcome>(["complete", "complete", "fail", "flaky", "repaired", "hang"]),
      );
      const { id, jobIds } = await createBatch(...outcomes);
      for (let step = 0; step < 4; step++) {
        // People and workers at the same time; whoever comes too late is told so.
        const actions = Array.from({ length: 4 }, () => choose([engine.cancelJob, engine.retryJob])(choose(jobIds)));
        const answers = await Promise.allSettled(actions);
        for (const answer of answers) {
          if (answer.status === "rejected") expect(answer.reason).toMatchObject({ code: "INVALID_TRANSITION" });
        }
        await expectExact(db, id);
      }
      // What hangs is cancelled until nothing is left.
      await until(async () => {
        const left = await Promise.all(jobIds.map((jobId) => readJob(db, jobId)));
        const hanging = left.filter(
          ({ status }, index) => outcomes[index] === "hang" && status !== "cancelled" && status !== "failed",
        );
        await Promise.allSettled(hanging.map((job) => engine.cancelJob(job.id)));
        return left.every(({ completedAt }) => completedAt !== null);
      });
      const batch = await batchEnded(db, id);
      await expectExact(db, id);
      const history = await db.query<{ was: string; became: string }>(
        sql`select was, became from batch_history where batch_id = ${id} order by place`,
      );
      const isOpen = (status: string) => status === "pending" || status === "running";
      expect(history.filter(({ was, became }) => !isOpen(was) && !isOpen(became))).toEqual([]);
      const endings = history.filter(({ became }) => !isOpen(became)).length;
      expect(await readEnds(db, id)).toHaveLength(endings);
      expect(await summariesOf(db, id)).toHaveLength(endings);
      expect((await summariesOf(db, id)).at(-1)).toBe(batch.status);
    }
  });
});

describe("a batch on worker processes", () => {
  const suite = useSuite();

  it("of 200 jobs that three processes end at the same time ends once", async () => {
    const { createBatch, workers } = suite;
    const { db, url } = suite.database;
    const options = { url, fixture: "outcomes.ts", slots: 16 };
    workers.push(...(await Promise.all([1, 2, 3].map(() => startFaultWorker(options)))));
    const outcomes = Array.from(
      { length: 200 },
      (_, index): Outcome => (index % 10 === 0 ? "fail" : index % 7 === 0 ? "flaky" : "complete"),
    );
    const { id } = await createBatch(...outcomes);
    expect(await batchEnded(db, id)).toMatchObject({ status: "partial", completedJobs: 180, failedJobs: 20 });
    await expectExact(db, id);
    expect(await readEnds(db, id)).toHaveLength(1);
    expect(await summariesOf(db, id)).toEqual(["partial"]);
  });

  it.each(["commit.before", "commit.inside", "commit.after"] as const)(
    "whose end was cut off by kill -9 at %s ends once",
    async (point) => {
      const { createBatch, engine, workers } = suite;
      const { db, url } = suite.database;
      const { id, jobIds } = await createBatch("complete", "complete");
      const victim = await startFaultWorker({
        url,
        fixture: "outcomes.ts",
        slots: 1,
        fault: { point, jobId: jobIds[1] as string, transition: "complete" },
      });
      workers.push(victim);
      expect(await victim.exited).toBe("SIGKILL");
      await engine.startWorker();
      const batch = await batchEnded(db, id);
      await expectExact(db, id);
      expect(await readEnds(db, id)).toHaveLength(1);
      // Its pipeline says that a lost job has failed; and if the end had landed, nothing was lost.
      expect(batch.status).toBe(point === "commit.after" ? "completed" : "partial");
      expect(await summariesOf(db, id)).toEqual([batch.status]);
    },
  );

  it("whose last job was lost with its worker ends with it, with its following jobs", async () => {
    const { createBatch, engine, workers } = suite;
    const { db, url } = suite.database;
    const victim = await startFaultWorker({ url, fixture: "outcomes.ts" });
    workers.push(victim);
    const { id, jobIds } = await createBatch("complete", "hang");
    const hanging = jobIds[1] as string;
    await victim.hears("started", ({ jobId }) => jobId === hanging);
    await jobEnded(db, jobIds[0] as string);
    await victim.kill();
    await engine.startWorker();
    expect(await jobWhen(db, hanging, ({ status }) => status !== "running")).toMatchObject({
      status: "failed",
      errorCode: "LEASE_LOST",
    });
    expect((await batchEnded(db, id)).status).toBe("partial");
    expect(await readEnds(db, id)).toHaveLength(1);
    expect(await summariesOf(db, id)).toEqual(["partial"]);
  });
});

/** A witness of its own for every change of a batch's state. */
async function recordBatchHistory(db: Queryable): Promise<void> {
  await db.query(sql`create table batch_history (place serial, batch_id uuid, was text, became text)`);
  await db.query(sql`
    create function record_batch() returns trigger language plpgsql as $$
    begin
      insert into batch_history (batch_id, was, became) values (new.id, old.status, new.status);
      return null;
    end $$`);
  await db.query(sql`
    create trigger record_batch after update on batches for each row
    when (old.status <> new.status) execute function record_batch()`);
}

describe("a batch without jobs", () => {
  it("is refused", async () => {
    const { url, drop } = await createTestDatabase();
    const { part } = createPipelines({ tell: () => undefined });
    const engine = openTestEngine({ url, pipelines: [part] });
    await expect(engine.createBatch({ pipeline: part, jobs: [] })).rejects.toMatchObject({ code: "EMPTY_BATCH" });
    await engine.close();
    await drop();
  });
});
