/** Promise 1: no job runs twice at once, in the right order, at a cost that does not grow with the table. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Queryable } from "../../src/db/database.ts";
import { type Sql, sql } from "../../src/db/sql.ts";
import { counted, first, repeated, second, unserved } from "../fixtures/pipelines/claim.ts";
import { registerClaimingWorker } from "../support/claiming-worker.ts";
import { type EnginePlace, openEnginePlace } from "../support/engine-place.ts";
import { describeOnEachServer } from "../support/test-database.ts";
import { until } from "../support/until.ts";
import { useWorkerProcesses } from "../support/worker-process.ts";

const pipelines = [counted, first, repeated, second, unserved];
const file = import.meta.resolve("../fixtures/pipelines/claim.ts");

describe("claims of eight processes", () => {
  const workers = useWorkerProcesses();
  let place: EnginePlace;

  beforeEach(async () => {
    place = await openEnginePlace({ pipelines });
    await place.db.query(sql`
      create table effects (
        job_id uuid not null, attempt integer not null, pid integer not null, alone boolean,
        at timestamptz not null default clock_timestamp())`);
  });
  afterEach(() => place.close());

  it("run each of 20,000 jobs exactly once", async () => {
    for (let thousand = 0; thousand < 20; thousand++) {
      await place.engine.enqueueMany(Array.from({ length: 1_000 }, () => counted.job({})));
    }
    const started = await workers.startMany(8, { url: place.url, pipelines: file, slots: 8, pollMs: 1_000 });
    // By the table that claims use: counting jobs would take the cores from those who are being tested.
    await until(async () => (await place.db.query(sql`select from queue where kind = 'counted' limit 1`)).length === 0);
    await place.allEnded();
    const codes = await Promise.all(started.map((worker) => worker.terminate()));
    expect(codes).toEqual(Array(8).fill(0));

    const [effects] = await place.db.query(
      sql`select count(*) as runs, count(distinct job_id) as jobs, count(distinct pid) as processes from effects`,
    );
    expect(effects).toEqual({ runs: 20_000, jobs: 20_000, processes: 8 });
    const events = await place.db.query(
      sql`select type, count(*) as events, count(distinct stream_id) as jobs from events group by type order by type`,
    );
    // Jobs claimed ahead that were handed back are claimed again; nothing else is.
    const [released] = await place.db.query<{ events: number }>(
      sql`select count(*) as events from events where type = 'job_released'`,
    );
    expect(events).toContainEqual({ type: "job_completed", events: 20_000, jobs: 20_000 });
    expect(events).toContainEqual({ type: "job_started", events: 20_000 + (released?.events ?? 0), jobs: 20_000 });
  }, 180_000);

  it("never overlap on one job, however often it is claimed", async () => {
    const jobIds = await place.engine.enqueueMany(Array.from({ length: 400 }, () => repeated.job({})));
    const started = await workers.startMany(8, { url: place.url, pipelines: file, slots: 4 });
    await place.allEnded(jobIds);
    await Promise.all(started.map((worker) => worker.terminate()));

    const [runs] = await place.db.query(
      sql`select count(*) as runs, count(*) filter (where not alone) as overlapping, count(distinct (job_id, attempt)) as attempts from effects`,
    );
    expect(runs).toEqual({ runs: 1_200, overlapping: 0, attempts: 1_200 });
    // In the log each claim is ended, by the lease it was made under, before the next one begins.
    const broken = await place.db.query(sql`
      select * from (
        select stream_id, number, type, data->>'lease' as lease,
          lead(type) over log as next_type, lead(data->>'lease') over log as next_lease
        from events window log as (partition by stream_id order by number)) e
      where type = 'job_started' and (next_type not in ('job_retrying', 'job_completed', 'job_released') or next_lease <> lease)
        or type <> 'job_started' and next_type <> 'job_started'`);
    expect(broken).toEqual([]);
  });
});

describeOnEachServer("the order of claims", (server) => {
  let place: EnginePlace;

  beforeEach(async () => {
    place = await openEnginePlace({ pipelines, server });
  });
  afterEach(() => place.close());

  async function claimAll(kinds: string[], count: number): Promise<string[]> {
    const worker = await registerClaimingWorker(place.db, kinds);
    const claimed = await worker.claim(place.db, count);
    return claimed.map(({ id }) => id);
  }

  it("is priority, then run_at, then age", async () => {
    const { engine, db } = place;
    const create = async (priority: number, dueSecondsAgo: number) => {
      const { id } = await engine.enqueue(first.job({}, { priority }));
      await db.query(
        sql`update queue set run_at = now() - ${dueSecondsAgo} * interval '1 second' where first_id = ${id}`,
      );
      return id;
    };
    const late = await create(0, 1);
    const older = await create(0, 10);
    const younger = await create(0, 10);
    const urgent = await create(5, 0);
    const unimportant = await create(-5, 100);
    await db.query(
      sql`update queue set run_at = (select run_at from queue where first_id = ${older}) where first_id = ${younger}`,
    );
    expect(await claimAll(["first"], 5)).toEqual([urgent, older, younger, late, unimportant]);
  });

  it("is by run_at between kinds too", async () => {
    const older = await place.engine.enqueueMany([first.job({}), first.job({})]);
    await place.db.query(sql`update jobs set run_at = run_at - interval '1 minute'`);
    const { id: younger } = await place.engine.enqueue(second.job({}));
    expect(await claimAll(["first", "second"], 2)).toEqual(older);
    expect(await claimAll(["first", "second"], 1)).toEqual([younger]);
  });

  it("is the batch's priority for all its jobs, whatever kind they are", async () => {
    const { id: single } = await place.engine.enqueue(first.job({}, { priority: 5 }));
    const { jobIds: low } = await place.engine.createBatch({
      pipeline: first,
      priority: 1,
      jobs: [first.job({}), second.job({})],
    });
    const { jobIds: high } = await place.engine.createBatch({
      pipeline: first,
      priority: 10,
      jobs: [first.job({}), second.job({})],
    });
    const claimed = await claimAll(["first", "second"], 5);
    expect(claimed.slice(0, 2).toSorted()).toEqual(high.toSorted());
    expect(claimed[2]).toBe(single);
    expect(claimed.slice(3).toSorted()).toEqual(low.toSorted());
  });

  it("passes over jobs nobody here serves and jobs that are not due", async () => {
    const { engine } = place;
    await engine.enqueueMany(Array.from({ length: 50 }, () => unserved.job({}, { priority: 100 })));
    await engine.enqueueMany(Array.from({ length: 50 }, () => first.job({}, { priority: 100, delayMs: 3_600_000 })));
    await engine.createBatch({ pipeline: first, jobs: [first.job({}, { priority: 100, delayMs: 3_600_000 })] });
    const { id } = await engine.enqueue(first.job({}, { priority: -100 }));
    expect(await claimAll(["first"], 10)).toEqual([id]);
    const [waiting] = await place.db.query(sql`select count(*) as jobs from jobs where status = 'pending'`);
    expect(waiting).toEqual({ jobs: 101 });
  });
});

describe("the cost of a claim", () => {
  let place: EnginePlace;

  beforeEach(async () => {
    place = await openEnginePlace({ pipelines });
  });
  afterEach(() => place.close());

  it("is the same beside 200,000 waiting and 200,000 finished jobs", async () => {
    const { db, engine } = place;
    const worker = await registerClaimingWorker(db, ["first", "second"]);
    const claimedPages = () => countPages(db, (target) => worker.claim(target, 10));
    await engine.enqueueMany(Array.from({ length: 20 }, () => first.job({})));
    await fill(place, 60);
    await engine.createBatch({ pipeline: first, jobs: Array.from({ length: 20 }, () => first.job({})) });
    await db.query(sql`analyze`);
    const whenSmall = await claimedPages();

    await fill(place, 200_000);
    // Before the statistics know of the new rows, and after.
    const beforeAnalyze = await claimedPages();
    await db.query(sql`analyze`);
    const afterAnalyze = await claimedPages();

    // Each index is a level or two deeper; nothing is read of the rows beside those claimed.
    expect(beforeAnalyze).toBeLessThan(whenSmall * 2);
    expect(afterAnalyze).toBeLessThan(whenSmall * 2);
  });

  /** Each by itself, as jobs that are enqueued one by one: each has an entry of its own. */
  async function fill({ db }: EnginePlace, each: number): Promise<void> {
    await db.query(sql`
      with waiting as (
        insert into jobs (id, kind, input, max_attempts, when_lost, priority)
        select gen_random_uuid(), 'second', '{}', 3, 'retry', i % 3 from generate_series(1, ${each}) as i
        returning kind, priority, run_at, id, max_attempts, input)
      insert into queue (kind, priority, run_at, first_id, last_id, jobs, max_attempts, job_ids, inputs)
      select kind, priority, run_at, id, id, 1, max_attempts, array[id], jsonb_build_array(input) from waiting`);
    await db.query(sql`
      insert into jobs (id, kind, input, max_attempts, when_lost, status, completed_at)
      select gen_random_uuid(), 'first', '{}', 3, 'retry', 'completed', now() from generate_series(1, ${each}) as i`);
  }
});

/** Pages read or found in the cache by the statements `work` makes; they are run and undone. */
async function countPages(db: EnginePlace["db"], work: (target: Queryable) => Promise<unknown>): Promise<number> {
  let pages = 0;
  const undo = new Error("undo");
  await db
    .transaction(async (tx) => {
      await work({
        async query<Row extends object>(statement: Sql): Promise<Row[]> {
          await tx.query(sql`savepoint before`);
          const [answer] = await tx.query<{ "QUERY PLAN": { Plan: Record<string, number> }[] }>(
            sql`explain (analyze, buffers, format json) ${statement}`,
          );
          const plan = answer?.["QUERY PLAN"][0]?.Plan ?? {};
          pages += (plan["Shared Hit Blocks"] ?? 0) + (plan["Shared Read Blocks"] ?? 0);
          await tx.query(sql`rollback to before`);
          return tx.query<Row>(statement);
        },
      });
      throw undo;
    })
    .catch((error: unknown) => {
      if (error !== undo) throw error;
    });
  return pages;
}
