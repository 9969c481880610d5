/**
 * The engine behind PgBouncer in transaction mode, where no two transactions need to share a session: with a direct
 * connection for hints, and without one. Skipped, and shown as skipped, where PgBouncer is not installed.
 */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import type { Database } from "../../src/db/database.ts";
import { sql } from "../../src/db/sql.ts";
import { createEventHub } from "../../src/events/event-hub.ts";
import { pipeline } from "../../src/jobs/pipeline.ts";
import { createPipelines, limit } from "../fixtures/bounced.ts";
import { countEffects, createEffectTables } from "../support/effects.ts";
import { type FaultWorker, startFaultWorker } from "../support/fault-worker.ts";
import { type PgBouncer, pgBouncerProgram, startPgBouncer } from "../support/pgbouncer.ts";
import { batchEnded, eventTypes, jobEnded, jobWhen, readJob, readStream } from "../support/read-job.ts";
import { silentLogger } from "../support/silent-logger.ts";
import { createTestDatabase, type TestDatabase } from "../support/test-database.ts";
import { openTestEngine, type TestEngine } from "../support/test-engine.ts";
import { until } from "../support/until.ts";

const book = pipeline("book", { input: z.object({}), lockKey: () => "book:1" }).stage("only", () => "done");

describe.skipIf(!pgBouncerProgram).each([
  { hints: "polling only", direct: false },
  { hints: "hints over a direct connection", direct: true },
])("behind PgBouncer in transaction mode, $hints", ({ direct }) => {
  let database: TestDatabase;
  let bouncer: PgBouncer;
  let engine: TestEngine;
  let db: Database;
  let listenUrl: string | null;
  let pipelines: ReturnType<typeof createPipelines>;
  let workers: FaultWorker[];

  beforeAll(async () => {
    database = await createTestDatabase();
    await createEffectTables(database.db);
    await database.db.query(sql`create table spans (began_at timestamptz not null, ended_at timestamptz not null)`);
    // Fewer connections than clients: whoever relied on its session would meet someone else's.
    bouncer = await startPgBouncer({ url: database.url, poolSize: 4 });
    listenUrl = direct ? database.url : null;
    pipelines = createPipelines({ db: database.db, tell: () => undefined, onceSaid: async (type) => ({ type }) });
    engine = openTestEngine({ url: bouncer.url, listenUrl, pipelines: [...Object.values(pipelines), book] });
    db = engine.db;
    workers = [];
  });

  afterEach(async () => {
    await Promise.all(workers.splice(0).map((worker) => worker.kill()));
  });

  afterAll(async () => {
    await engine.close();
    await bouncer.stop();
    await database.drop();
  });

  async function start(options: { leaseMs?: number; heartbeatMs?: number } = {}): Promise<FaultWorker> {
    const worker = await startFaultWorker({ url: bouncer.url, listenUrl, fixture: "bounced.ts", slots: 6, ...options });
    workers.push(worker);
    return worker;
  }

  it("each job is run once, and the limit is never exceeded", async () => {
    await Promise.all([start(), start()]);
    const jobs = Array.from({ length: 60 }, () => pipelines.limited.job({}));
    const { id } = await engine.createBatch({ pipeline: pipelines.limited, jobs: jobs.slice(0, 30) });
    const single = await engine.enqueueMany(jobs.slice(30));
    expect((await batchEnded(db, id)).status).toBe("completed");
    await Promise.all(single.map((jobId) => jobEnded(db, jobId)));
    const [counted] = await db.query(sql`
      select (select count(*) from executions) as begun, (select count(*) from effects) as done,
        (select count(distinct job_id) from effects) as jobs,
        (select max((select count(*) from spans other where other.began_at <= s.began_at and other.ended_at > s.began_at)) from spans s) as most`);
    expect(counted).toMatchObject({ begun: 60, done: 60, jobs: 60 });
    expect((counted as { most: number }).most).toBeLessThanOrEqual(limit);
    expect(await db.query(sql`select running from job_limits`)).toEqual([{ running: 0 }]);
    await readStream(db, id);
  });

  it("a worker that was stopped beyond its lease writes nothing when it comes back", async () => {
    const sleeper = await start({ leaseMs: 2_000, heartbeatMs: 200 });
    const { id } = await engine.enqueue(pipelines.waiting.job({}));
    await sleeper.hears("started", ({ jobId }) => jobId === id);
    sleeper.signal("SIGSTOP");
    const worker = await engine.startWorker();
    const finished = await jobEnded(db, id);
    await worker.stop(5_000);
    expect(finished.status).toBe("completed");
    sleeper.signal("SIGCONT");
    // Its commit and the news that it has lost the job race: neither may let it write.
    sleeper.say({ type: "go on" });
    await sleeper.stop();
    expect(await readJob(db, id)).toEqual(finished);
    expect(await countEffects(db, id)).toEqual({ [`lease ${finished.lease}`]: 1 });
  });

  it("a running job is told that it was cancelled, and one that has the lock is named", async () => {
    const worker = await start();
    const { id } = await engine.enqueue(pipelines.waiting.job({}));
    await worker.hears("started", ({ jobId }) => jobId === id);
    await engine.cancelJob(id);
    expect((await worker.hears("aborted")).code).toBe("CANCELLED");
    worker.say({ type: "go on" });
    await worker.stop();
    expect((await readJob(db, id)).status).toBe("cancelled");
    expect(await countEffects(db, id)).toEqual({});

    const answers = await Promise.allSettled([1, 2, 3].map(() => engine.enqueue(book.job({}))));
    const won = answers.flatMap((answer) => (answer.status === "fulfilled" ? [answer.value.id] : []));
    expect(won).toHaveLength(1);
    for (const answer of answers) {
      if (answer.status === "rejected")
        expect(answer.reason).toMatchObject({ code: "LOCK_HELD", details: { jobId: won[0] } });
    }
  });

  it("the same idempotency key raced gives the same job", async () => {
    const options = { idempotencyKey: "once" };
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => engine.enqueue(pipelines.waiting.job({}, { delayMs: 3_600_000 }), options)),
    );
    expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
    expect(answers.filter(({ created }) => created)).toHaveLength(1);
  });

  it("readers see every event once, in order, and hints are what they are said to be", async () => {
    const hub = createEventHub({ db, hints: engine.hints, logger: silentLogger, pollMs: 50, pageSize: 7 });
    const jobs = Array.from({ length: 10 }, () => pipelines.limited.job({}));
    const { id } = await engine.createBatch({ pipeline: pipelines.limited, jobs });
    const leaving = new AbortController();
    const readers = Array.from({ length: 5 }, async () => {
      const numbers: number[] = [];
      for await (const page of hub.follow(id, 0, leaving.signal)) {
        numbers.push(...page.map(({ number }) => number));
        if (page.some(({ type }) => type === "batch_completed")) break;
      }
      return numbers;
    });
    await start();
    const expected = (await eventsAtEnd(id)).map(({ number }) => number);
    for (const numbers of await Promise.all(readers)) expect(numbers).toEqual(expected);
    hub.close();
    await until(() => engine.hints.delivering() === direct);
  });

  async function eventsAtEnd(batchId: string) {
    await batchEnded(db, batchId);
    return readStream(db, batchId);
  }

  it("a killed worker's job goes on", async () => {
    const victim = await start();
    const { id } = await engine.enqueue(pipelines.waiting.job({}));
    await victim.hears("started", ({ jobId }) => jobId === id);
    await victim.kill();
    const worker = await engine.startWorker();
    expect(await jobWhen(db, id, ({ status }) => status === "completed")).toMatchObject({ attempts: 2 });
    expect((await eventTypes(db, id)).filter((type) => type === "job_lost")).toHaveLength(1);
    await worker.stop(5_000);
  });
});
