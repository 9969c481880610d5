/** Promise 12: a worker that is asked to end hands its jobs back at no cost, from their last checkpoint on. */
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { sql } from "../../src/db/sql.ts";
import { pipeline } from "../../src/jobs/pipeline.ts";
import { effects, limitedQuick, paged, quick } from "../fixtures/pipelines/shutdown.ts";
import { type EnginePlace, openEnginePlace } from "../support/engine-place.ts";
import { eventTypes, jobEnded, jobWhen, readItems, readJob, readStream } from "../support/read-job.ts";
import { openTestEngine } from "../support/test-engine.ts";
import { until } from "../support/until.ts";
import { useWorkerProcesses } from "../support/worker-process.ts";

const file = import.meta.resolve("../fixtures/pipelines/shutdown.ts");

describe("a worker process that gets SIGTERM", () => {
  const workers = useWorkerProcesses();
  let place: EnginePlace;

  beforeEach(async () => {
    place = await openEnginePlace({ pipelines: [limitedQuick, paged, quick] });
    await place.db.query(effects);
  });
  afterEach(() => place.close());

  /** What was done more than once, and how much was done in all. */
  async function countEffects(): Promise<{ done: number; repeated: string[] }> {
    const rows = await place.db.query<{ what: string; jobId: string; times: number }>(
      sql`select job_id, what, committed, count(*) as times from effects group by job_id, what, committed`,
    );
    return { done: rows.length, repeated: rows.filter(({ times }) => times > 1).map(({ what }) => what) };
  }

  it("stops at the next item's checkpoint, and another one goes on from there", async () => {
    const { db, engine, url } = place;
    const { id } = await engine.enqueue(paged.job({}));
    const ending = await workers.start({ url, pipelines: file, graceMs: 30_000 });
    await ending.reported("page", ({ page }) => page === "3");
    const ended = ending.terminate();
    await until(async () => (await db.query(sql`select from workers where stopping`)).length > 0);
    expect(await readJob(db, id)).toMatchObject({ status: "running" });
    ending.open("page 3");
    expect(await ended).toBe(0);

    expect(await readJob(db, id)).toMatchObject({ status: "pending", attempts: 0, lease: 1, completedItems: 3 });
    expect((await readItems(db, id)).map(({ key }) => key)).toEqual(["1", "2", "3"]);
    expect((await eventTypes(db, id)).at(-1)).toBe("job_released");
    expect(await db.query(sql`select id from workers`)).toEqual([]);

    await using other = await workers.start({ url, pipelines: file });
    expect(await jobEnded(db, id)).toMatchObject({ status: "completed", attempts: 1, result: { pages: 6 } });
    expect(other.reports("page").map(({ page }) => page)).toEqual(["4", "5", "6"]);
    expect(await countEffects()).toEqual({ done: 13, repeated: [] });
  });

  it("does not wait longer than its grace for a stage that minds no signal", async () => {
    const { db, engine, url } = place;
    const { id } = await engine.enqueue(paged.job({}));
    const ending = await workers.start({ url, pipelines: file, graceMs: 100 });
    await ending.reported("page", ({ page }) => page === "3");
    expect(await ending.terminate()).toBe(0);
    expect(await readJob(db, id)).toMatchObject({ status: "pending", attempts: 0, completedItems: 2 });
    await using other = await workers.start({ url, pipelines: file });
    other.open("page 3");
    expect(await jobEnded(db, id)).toMatchObject({ status: "completed", attempts: 1 });
    // Only what had no checkpoint was begun again.
    expect((await countEffects()).repeated).toEqual(["page 3"]);
  });

  it("leaves many short jobs to a second one, none lost and none run twice", async () => {
    const { db, engine, url } = place;
    const ids = await engine.enqueueMany(Array.from({ length: 3_000 }, () => quick.job({})));
    const ending = await workers.start({ url, pipelines: file, graceMs: 30_000 });
    await until(async () => (await db.query(sql`select from jobs where status = 'completed' limit 50`)).length === 50);
    expect(await ending.terminate()).toBe(0);
    const [left] = await db.query<{ pending: number; running: number }>(
      sql`select count(*) filter (where status = 'pending') as pending, count(*) filter (where status = 'running') as running from jobs`,
    );
    expect(left?.running).toBe(0);
    expect(left?.pending).toBeGreaterThan(0);
    await using _other = await workers.start({ url, pipelines: file });
    await place.allEnded(ids);
    expect(await countEffects()).toEqual({ done: 3_000, repeated: [] });
    const [jobs] = await db.query(
      sql`select count(*) as jobs, min(attempts) as least, max(attempts) as most from jobs`,
    );
    expect(jobs).toEqual({ jobs: 3_000, least: 1, most: 1 });
  });

  it("while its claim is under way leaves no job behind", async () => {
    const { db, engine, url } = place;
    const ending = await workers.start({ url, pipelines: file, leaseMs: 600_000 });
    // A claim that has begun and takes its time.
    await db.query(sql`
      create function wait_for_test() returns trigger language plpgsql as $$
      begin
        perform pg_advisory_xact_lock(1);
        return new;
      end $$`);
    await db.query(sql`
      create trigger slow_claim before update on jobs for each row when (new.status = 'running') execute function wait_for_test()`);
    let ended: Promise<number | null> | undefined;
    await db.transaction(async (tx) => {
      await tx.query(sql`select pg_advisory_xact_lock(1)`);
      await engine.enqueue(quick.job({}));
      await place.someoneWaits();
      ended = ending.terminate();
      // One that does not wait for its claim closes its connections and ends; one that does gives no sign of that, so
      // the wait for a sign is bounded. However long it is, the right answer is the same.
      const closed = until(async () => {
        const open = await db.query(
          sql`select from pg_stat_activity where datname = current_database() and application_name = 'worker control'`,
        );
        return open.length === 0;
      });
      await Promise.race([closed, delay(2_000)]);
    });
    expect(await ended).toBe(0);
    const [job] = await db.query<{ id: string; status: string }>(sql`select id, status from jobs`);
    expect(job?.status).toBe("pending");
    await using _other = await workers.start({ url, pipelines: file });
    expect(await jobEnded(db, job?.id ?? "")).toMatchObject({ status: "completed", attempts: 1 });
  });
});

describe("a stage that goes on after its worker has stopped", () => {
  it("is fenced off, also from the job's next run", async () => {
    let letGo: (() => void) | undefined;
    const stubborn = pipeline("stubborn", { input: z.object({}) }).stage("work", async ({ job, commit }) => {
      if (job.attempt === 1 && !letGo) await new Promise<void>((resolve) => (letGo = resolve));
      return commit(async (tx) => {
        await tx.query(sql`insert into effects (job_id, what, committed) values (${job.id}, 'commit', true)`);
      });
    });
    const place = await openEnginePlace({ pipelines: [stubborn] });
    const second = openTestEngine({ url: place.url, pipelines: [stubborn] });
    onTestFinished(async () => {
      await second.close();
      await place.close();
    });
    const { db, engine } = place;
    await db.query(effects);
    const { id } = await engine.enqueue(stubborn.job({}));
    const first = await engine.startWorker();
    await until(() => letGo);
    await first.stop(50);
    expect(await readJob(db, id)).toMatchObject({ status: "pending", attempts: 0 });

    await second.startWorker();
    await jobEnded(db, id);
    letGo?.();
    // The last write its process makes for the job; once it is answered, nothing more will come.
    await until(() => engine.db.usage().idle === engine.db.usage().total);
    expect(await db.query(sql`select what from effects`)).toEqual([{ what: "commit" }]);
    const started = (await readStream(db, id)).filter(({ type }) => type === "job_started");
    expect(started.map(({ data }) => data.attempt)).toEqual([1, 1]);
    expect(await jobWhen(db, id, () => true)).toMatchObject({ status: "completed", lease: 2, attempts: 1 });
  });
});
