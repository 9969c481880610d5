/**
 * What a worker sent arrives late, never, or its answer does: the line broke, and nobody knows which. Whatever it was,
 * it counts once, and the job loses time and no attempt.
 */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import type { Database } from "../../src/db/database.ts";
import { sql } from "../../src/db/sql.ts";
import { RetryableError } from "../../src/errors.ts";
import { type NewJob, pipeline } from "../../src/jobs/pipeline.ts";
import { type CuttingProxy, openCuttingProxy } from "../support/cutting-proxy.ts";
import { countEffects, createEffectTables, writeEffect } from "../support/effects.ts";
import { eventTypes, jobEnded, readJob } from "../support/read-job.ts";
import { createTestDatabase, type TestDatabase } from "../support/test-database.ts";
import { openTestEngine, type TestEngine } from "../support/test-engine.ts";
import { until } from "../support/until.ts";

let database: TestDatabase;
let db: Database;
let proxy: CuttingProxy;
let engines: TestEngine[];

beforeEach(async () => {
  database = await createTestDatabase();
  db = database.db;
  await createEffectTables(db);
  proxy = await openCuttingProxy(database.url);
  engines = [];
});

afterEach(async () => {
  await Promise.all(engines.map((engine) => engine.close()));
  await proxy.close();
  await database.drop();
});

/** `behind`: its only way to the database is through the proxy. */
function open(work: object, behind: boolean): TestEngine {
  const url = behind ? proxy.url : database.url;
  const engine = openTestEngine({ url, pipelines: [work], listenUrl: null });
  engines.push(engine);
  return engine;
}

async function someoneWaits(): Promise<void> {
  await until(async () => {
    const waiting = await db.query(sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`);
    return waiting.length > 0;
  });
}

describe("a commit that lands after the worker has begun to repeat it", () => {
  it("of a stage is the only one", async () => {
    const work = pipeline("stage", { input: z.object({}) })
      .stage("write", ({ job, commit }) => commit((tx) => writeEffect(tx, job.id, "once")))
      .stage("last", () => "ended");
    await expectOneLanding(work, work.job({}));
  });

  it("of an item is the only one", async () => {
    const work = pipeline("item", { input: z.object({}) })
      .stage("pages", async ({ job, items }) => {
        await items(["1"], { key: String }, async (_, { commit }) => commit((tx) => writeEffect(tx, job.id, "once")));
      })
      .stage("last", () => "ended");
    await expectOneLanding(work, work.job({}));
  });

  async function expectOneLanding(work: object, job: NewJob): Promise<void> {
    const engine = open(work, true);
    const { id } = await engine.enqueue(job);
    const cut = proxy.cutInsteadOfCommitOf("insert into effects");
    await engine.startWorker();
    const deliver = await cut;
    // The repetition has come as far as the job's row, which the open transaction holds.
    await someoneWaits();
    await deliver();
    expect(await jobEnded(db, id)).toMatchObject({ status: "completed", attempts: 1, lease: 1 });
    expect(await countEffects(db, id)).toEqual({ once: 1 });
    expect((await eventTypes(db, id)).filter((type) => type === "stage_completed")).toHaveLength(1);
  }
});

describe("a write that arrives after its repetition has landed", () => {
  it.each(["insert into job_stages", "told"])("is refused: %s", async (statement) => {
    const repeated = Promise.withResolvers<void>();
    const letGo = Promise.withResolvers<void>();
    const work = pipeline("telling", { input: z.object({}) })
      .stage("tell", async ({ emit }) => emit("told", {}))
      .stage("last", async () => {
        repeated.resolve();
        await letGo.promise;
      });
    const engine = open(work, true);
    const { id } = await engine.enqueue(work.job({}));
    const cut = proxy.cutInsteadOf(statement);
    await engine.startWorker();
    const deliver = await cut;
    await repeated.promise;
    await deliver();
    letGo.resolve();
    expect(await jobEnded(db, id)).toMatchObject({ status: "completed", attempts: 1, lease: 1 });
    expect(await eventTypes(db, id)).toEqual(["job_started", "told", "stage_completed", "job_completed"]);
  });
});

describe("a claim", () => {
  const work = pipeline("claimed", { input: z.object({}) }).stage("only", () => "ended");

  it("whose answer is lost leaves no job behind", async () => {
    const engine = open(work, true);
    const { id } = await engine.enqueue(work.job({}));
    const cut = proxy.cutAfterCommitOf("job_started");
    await engine.startWorker({ leaseMs: 600_000 });
    await cut;
    expect(await jobEnded(db, id)).toMatchObject({ status: "completed", attempts: 1, lease: 2 });
  });

  it("that arrives when nobody waits for it any more leaves no job behind", async () => {
    const engine = open(work, true);
    // The job comes in, and the claim arrives, before the worker asks again.
    await engine.startWorker({ leaseMs: 600_000, pollMs: 3_000 });
    const deliver = await proxy.cutInsteadOf("job_started");
    const [id = ""] = await open(work, false).enqueueMany([work.job({})]);
    await deliver();
    expect(await jobEnded(db, id)).toMatchObject({ status: "completed", attempts: 1 });
  });
});

describe("a paid call", () => {
  let calls: number;
  let failures: number;
  const question = { provider: "acme", model: "reader-2", input: "x" };
  const work = pipeline("paid", { input: z.object({}), retry: { attempts: 2, baseMs: 1 } }).stage(
    "ask",
    ({ remember }) =>
      remember({
        ...question,
        async call() {
          calls++;
          if (failures-- > 0) throw new RetryableError("RATE_LIMIT", "Slow down.");
          return { answer: "here", tokensIn: 7 };
        },
      }),
  );
  const reserving = "insert into ledger as l (key, provider, model, caller) values";

  beforeEach(() => {
    calls = 0;
    failures = 0;
  });

  it.each([
    ["the reservation is lost", () => proxy.cutInsteadOf(reserving)],
    ["the reservation's answer is lost", () => proxy.cutAfterCommitOf(reserving)],
    ["the answer is lost on its way into the ledger", () => proxy.cutInsteadOf("tokens_in = excluded")],
    ["the ledger has the answer and nobody hears of it", () => proxy.cutAfterCommitOf("insert into ledger_uses")],
  ])("is made once and counted once when %s", async (_, cutLine) => {
    const engine = open(work, true);
    const { id } = await engine.enqueue(work.job({}));
    const cut = cutLine();
    await engine.startWorker();
    await cut;
    expect(await jobEnded(db, id)).toMatchObject({ status: "completed", attempts: 1, result: "here" });
    expect(calls).toBe(1);
    expect(await db.query(sql`select paid, hits from ledger_uses`)).toEqual([{ paid: 1, hits: 0 }]);
  });

  it("is counted once when its answer comes to the ledger a second time, late", async () => {
    const engine = open(work, true);
    const { id } = await engine.enqueue(work.job({}));
    const cut = proxy.cutInsteadOf("tokens_in = excluded");
    await engine.startWorker();
    const deliver = await cut;
    expect(await jobEnded(db, id)).toMatchObject({ status: "completed", attempts: 1, result: "here" });
    await deliver();
    expect(calls).toBe(1);
    expect(await db.query(sql`select paid, hits from ledger_uses`)).toEqual([{ paid: 1, hits: 0 }]);
  });

  it("that failed is left to another worker, also when giving it back has to be tried again", async () => {
    failures = 2;
    const other = pipeline("paid.elsewhere", { input: z.object({}) }).stage("ask", ({ remember }) =>
      remember({ ...question, call: async () => ({ answer: "from elsewhere" }) }),
    );
    const engine = open(work, true);
    const { id } = await engine.enqueue(work.job({}));
    const cuts = (async () => {
      for (let attempt = 1; attempt <= 2; attempt++) await proxy.cutInsteadOf("delete from ledger");
    })();
    await engine.startWorker();
    await cuts;
    expect(await jobEnded(db, id)).toMatchObject({ status: "failed", errorCode: "RATE_LIMIT" });
    const elsewhere = open(other, false);
    await elsewhere.startWorker();
    const { id: second } = await elsewhere.enqueue(other.job({}));
    expect(await jobEnded(db, second)).toMatchObject({ status: "completed", result: "from elsewhere" });
  });
});

describe("a worker that stops and cannot reach the database", () => {
  it("leaves its job to the lease: the job has done nothing wrong", async () => {
    const begun = Promise.withResolvers<void>();
    const work = pipeline("stopped", { input: z.object({}) }).stage("wait", ({ signal }) => {
      begun.resolve();
      return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    });
    const engine = open(work, true);
    const { id } = await engine.enqueue(work.job({}));
    const worker = await engine.startWorker();
    await begun.promise;
    let stopped = false;
    const cutting = (async () => {
      while (!stopped) await proxy.cutInsteadOf("worker shutting down");
    })();
    await worker.stop(1);
    stopped = true;
    // Its run has come to its end too, with whatever that writes.
    await until(() => worker.holding === 0);
    // Nobody cuts the line any more: the hand-back may still have come through.
    const job = await readJob(db, id);
    expect(job).toMatchObject({ lease: 1, errorCode: null });
    expect(["running", "pending"]).toContain(job.status);
    void cutting;
  });
});

describe("the checkpoints of an earlier run", () => {
  it("are read again when the line breaks", async () => {
    const work = pipeline("resumed", { input: z.object({}), retry: { attempts: 2, baseMs: 1 } }).stage(
      "pages",
      async ({ job, items }) => {
        await items(["1", "2"], { key: String }, async (key, { commit }) =>
          commit((tx) => writeEffect(tx, job.id, key)),
        );
        if (job.attempt === 1) throw new RetryableError("ONCE", "Only the second run gets through.");
      },
    );
    const engine = open(work, true);
    const { id } = await engine.enqueue(work.job({}));
    const cut = proxy.cutInsteadOf("select key, output from job_items");
    await engine.startWorker();
    await cut;
    expect(await jobEnded(db, id)).toMatchObject({ status: "completed", attempts: 2 });
    expect(await countEffects(db, id)).toEqual({ 1: 1, 2: 1 });
  });
});
