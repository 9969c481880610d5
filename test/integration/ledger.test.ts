/** A paid call is paid once: raced between processes, cut off by kill -9, taken over from the dead, and counted. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { sql } from "../../src/db/sql.ts";
import { RetryableError } from "../../src/errors.ts";
import { pipeline } from "../../src/jobs/pipeline.ts";
import { createPipelines } from "../fixtures/paying.ts";
import { type FaultWorker, startFaultWorker } from "../support/fault-worker.ts";
import { jobEnded, readJob } from "../support/read-job.ts";
import { createTestDatabase, type TestDatabase } from "../support/test-database.ts";
import { openEngineOnDatabase, openTestEngine, type TestEngine } from "../support/test-engine.ts";
import { until } from "../support/until.ts";

let database: TestDatabase;
let engine: TestEngine;
let paying: ReturnType<typeof createPipelines>["paying"];
let workers: FaultWorker[];

beforeEach(async () => {
  database = await createTestDatabase();
  await database.db.query(sql`create table payments (text text not null)`);
  const pipelines = createPipelines({ db: database.db, tell: () => undefined });
  paying = pipelines.paying;
  engine = openTestEngine({ url: database.url, pipelines: Object.values(pipelines) });
  workers = [];
});

afterEach(async () => {
  await Promise.all(workers.map((worker) => worker.kill()));
  await engine.close();
  await database.drop();
});

async function start(count: number, slots = 4): Promise<FaultWorker[]> {
  const options = { url: database.url, fixture: "paying.ts", slots };
  const started = await Promise.all(Array.from({ length: count }, () => startFaultWorker(options)));
  workers.push(...started);
  return started;
}

const ask = (text: string, more: { dieWithAnswer?: boolean; hang?: boolean } = {}) =>
  paying.job({ text, dieWithAnswer: false, hang: false, ...more });

async function countPayments(): Promise<number> {
  return (await database.db.query(sql`select from payments`)).length;
}

async function readSpend(): Promise<object | undefined> {
  const [spend] = await database.db.query(sql`
    select coalesce(sum(u.paid), 0)::integer as paid, coalesce(sum(u.hits), 0)::integer as hits,
      coalesce(sum(u.paid * l.tokens_in), 0)::integer as tokens_in, coalesce(sum(u.paid * l.tokens_out), 0)::integer as tokens_out,
      coalesce(sum(u.paid * l.cost_micros), 0)::integer as cost_micros
    from ledger_uses u join ledger l using (key)`);
  return spend;
}

const paidOnce = { paid: 1, tokensIn: 100, tokensOut: 20, costMicros: 1_500 };

describe("remember", () => {
  it("raced by jobs of three processes pays once for each question, and everyone has the answer", async () => {
    await start(3);
    const ids = await engine.enqueueMany(Array.from({ length: 24 }, (_, index) => ask(index % 2 === 0 ? "a" : "b")));
    const jobs = await Promise.all(ids.map((id) => jobEnded(database.db, id)));
    expect(jobs.map(({ result }) => result)).toEqual(ids.map((_, index) => ({ said: index % 2 === 0 ? "A" : "B" })));
    expect(await countPayments()).toBe(2);
    expect(await readSpend()).toEqual({ paid: 2, hits: 22, tokensIn: 200, tokensOut: 40, costMicros: 3_000 });
  });

  it("after kill -9 between the answer and its use does not pay again", async () => {
    const [victim] = await start(1);
    const { id } = await engine.enqueue(ask("a", { dieWithAnswer: true }));
    expect(await victim?.exited).toBe("SIGKILL");
    await engine.startWorker();
    expect(await jobEnded(database.db, id)).toMatchObject({ status: "completed", attempts: 2, result: { said: "A" } });
    expect(await countPayments()).toBe(1);
    expect(await readSpend()).toEqual({ ...paidOnce, hits: 1 });
  });

  it("after kill -9 while the answer is being stored neither pays again nor forgets the cost", async () => {
    const [victim] = await start(1);
    const locked = Promise.withResolvers<void>();
    const unlock = Promise.withResolvers<void>();
    // Whoever counts a use waits here: the process is killed at the last possible moment.
    const locking = database.db.transaction(async (tx) => {
      await tx.query(sql`lock table ledger_uses in access exclusive mode`);
      locked.resolve();
      await unlock.promise;
    });
    await locked.promise;
    const { id } = await engine.enqueue(ask("a"));
    await until(async () => {
      const waiting = await database.db.query(sql`
        select from pg_locks where locktype = 'relation' and relation = 'ledger_uses'::regclass and not granted`);
      return waiting.length > 0;
    });
    await victim?.kill();
    unlock.resolve();
    await locking;
    await until(async () => {
      const busy = await database.db.query(sql`
        select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'`);
      return busy.length === 0;
    });
    await engine.startWorker();
    expect(await jobEnded(database.db, id)).toMatchObject({ status: "completed", result: { said: "A" } });
    expect(await countPayments()).toBe(1);
    expect(await readSpend()).toMatchObject(paidOnce);
  });

  it("takes a call over from a caller that died in the middle of it", async () => {
    const [victim] = await start(1);
    const { id: first } = await engine.enqueue(ask("a", { hang: true }));
    await victim?.hears("calling", ({ jobId }) => jobId === first);
    await engine.startWorker();
    const { id: second } = await engine.enqueue(ask("a"));
    await until(async () => (await readJob(database.db, second)).status === "running");
    await victim?.kill();
    const jobs = await Promise.all([first, second].map((id) => jobEnded(database.db, id)));
    expect(jobs.map(({ status, result }) => [status, result])).toEqual([
      ["completed", { said: "A" }],
      ["completed", { said: "A" }],
    ]);
    // The first payment brought no answer to anyone; the second one served both.
    expect(await countPayments()).toBe(2);
    expect(await readSpend()).toEqual({ ...paidOnce, hits: 1 });
  });

  it("leaves nothing behind when the call fails: the next one calls again", async () => {
    let calls = 0;
    const work = pipeline("refused", { input: z.object({}), retry: { baseMs: 1 } }).stage("ask", ({ remember }) =>
      remember({
        provider: "acme",
        model: "reader-2",
        input: "x",
        async call() {
          calls++;
          if (calls === 1) throw new RetryableError("RATE_LIMIT", "Slow down.");
          return { answer: calls };
        },
      }),
    );
    await using place = await openEngineOnDatabase([work]);
    await place.engine.startWorker();
    const { id } = await place.engine.enqueue(work.job({}));
    expect(await jobEnded(place.db, id)).toMatchObject({ status: "completed", attempts: 2, result: 2 });
    expect(calls).toBe(2);
  });

  it("gives everything JSON holds back as it was, also null", async () => {
    const answers = [null, 0, "", [], { a: [1, { b: null }] }, "ünï ©"];
    let calls = 0;
    const work = pipeline("values", { input: z.object({}) }).stage("ask", async ({ remember }) => {
      const given: unknown[] = [];
      for (const [index, answer] of answers.entries()) {
        const question = { provider: "acme", model: "m", input: index };
        for (let time = 0; time < 2; time++) {
          given.push(
            await remember({
              ...question,
              async call() {
                calls++;
                return { answer };
              },
            }),
          );
        }
      }
      return given;
    });
    await using place = await openEngineOnDatabase([work]);
    await place.engine.startWorker();
    const { id } = await place.engine.enqueue(work.job({}));
    expect((await jobEnded(place.db, id)).result).toEqual(answers.flatMap((answer) => [answer, answer]));
    expect(calls).toBe(answers.length);
  });
});

describe("two jobs of one process that want the same answer", () => {
  it("do not share the cancellation of one of them", async () => {
    let calls = 0;
    const calling = Promise.withResolvers<void>();
    let asking = 0;
    const bothAsk = Promise.withResolvers<void>();
    const work = pipeline("shared", { input: z.object({}) }).stage("ask", ({ remember }) => {
      if (++asking === 2) bothAsk.resolve();
      return remember({
        provider: "acme",
        model: "reader-2",
        input: "x",
        async call(signal) {
          calls++;
          if (calls > 1) return { answer: "here" };
          calling.resolve();
          await new Promise((_, reject) =>
            signal.addEventListener("abort", () => reject(signal.reason), { once: true }),
          );
          return { answer: "never" };
        },
      });
    });
    await using place = await openEngineOnDatabase([work]);
    await place.engine.startWorker();
    const { id: first } = await place.engine.enqueue(work.job({}));
    await calling.promise;
    const { id: second } = await place.engine.enqueue(work.job({}));
    await bothAsk.promise;
    await place.engine.cancelJob(first);
    expect(await jobEnded(place.db, second)).toMatchObject({ status: "completed", result: "here" });
    expect((await readJob(place.db, first)).status).toBe("cancelled");
  });
});
