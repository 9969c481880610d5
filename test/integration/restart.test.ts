/** Promise 5: after kill -9 of everything, the first process on the same host goes on at once, whatever the leases say. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { sql } from "../../src/db/sql.ts";
import { effects, limitedQuick, paged, quick } from "../fixtures/pipelines/shutdown.ts";
import { type EnginePlace, openEnginePlace } from "../support/engine-place.ts";
import { batchEnded, countBatch, eventTypes, jobEnded, readJob } from "../support/read-job.ts";
import { until } from "../support/until.ts";
import { useWorkerProcesses } from "../support/worker-process.ts";

const file = import.meta.resolve("../fixtures/pipelines/shutdown.ts");
/** Longer than any test: what is taken back was not taken because its lease ran out. */
const leaseMs = 600_000;

describe("after kill -9 of every worker", () => {
  const workers = useWorkerProcesses();
  let place: EnginePlace;

  beforeEach(async () => {
    place = await openEnginePlace({ pipelines: [limitedQuick, paged, quick] });
    await place.db.query(effects);
  });
  afterEach(() => place.close());

  it("a new one goes on with their jobs from the last checkpoint, and finishes everything", async () => {
    const { db, engine, url } = place;
    const pagedIds = await engine.enqueueMany(Array.from({ length: 6 }, () => paged.job({})));
    const quickIds = await engine.enqueueMany(Array.from({ length: 200 }, () => quick.job({})));
    const batch = await engine.createBatch({
      pipeline: limitedQuick,
      jobs: Array.from({ length: 20 }, () => limitedQuick.job({})),
    });
    const killed = await workers.startMany(3, { url, pipelines: file, leaseMs, slots: 2 });
    // Every slot is held at a third page.
    await until(
      () => killed.flatMap((worker) => worker.reports("page").filter(({ page }) => page === "3")).length === 6,
    );
    await Promise.all(killed.map((worker) => worker.kill()));
    const running = await db.query<{ id: string }>(sql`select id from jobs where status = 'running'`);
    expect(running.length).toBeGreaterThanOrEqual(6);

    await using next = await workers.start({ url, pipelines: file, leaseMs });
    next.open("page 3");
    await place.allEnded([...pagedIds, ...quickIds, ...batch.jobIds]);
    const [states] = await db.query(
      sql`select count(*) as jobs, count(*) filter (where status = 'completed') as completed from jobs`,
    );
    expect(states).toEqual({ jobs: 226, completed: 226 });
    for (const id of pagedIds) {
      expect(await readJob(db, id)).toMatchObject({ attempts: 2, completedItems: 6 });
      expect(await eventTypes(db, id)).toContain("job_lost");
    }
    const committed = await db.query(
      sql`select from effects where committed group by job_id, what having count(*) > 1`,
    );
    expect(committed).toEqual([]);
    // Begun again was only the page that had no checkpoint yet.
    const repeated = await db.query<{ what: string }>(
      sql`select distinct what from effects where not committed and what <> 'work' group by job_id, what having count(*) > 1`,
    );
    expect(repeated).toEqual([{ what: "page 3" }]);
    expect(await batchEnded(db, batch.id)).toMatchObject({ status: "completed", completedJobs: 20 });
    expect((await countBatch(db, batch.id)).turns).toEqual({ says: 0, runs: 0 });
    expect(await db.query(sql`select running from job_limits`)).toEqual([{ running: 0 }]);
  });

  it("one that still runs takes their jobs while it works", async () => {
    const { db, engine, url } = place;
    const { id } = await engine.enqueue(paged.job({}));
    const killed = await workers.start({ url, pipelines: file, leaseMs });
    await killed.reported("page", ({ page }) => page === "3");
    await using living = await workers.start({ url, pipelines: file, leaseMs });
    living.open("page 3");
    await killed.kill();
    expect(await jobEnded(db, id)).toMatchObject({ status: "completed", attempts: 2 });
  });

  it("a worker that only stands still keeps its jobs until its lease runs out", async () => {
    const { db, engine, url } = place;
    const { id } = await engine.enqueue(paged.job({}));
    await using stopped = await workers.start({ url, pipelines: file, leaseMs });
    await stopped.reported("page", ({ page }) => page === "3");
    await stopped.pause();
    await using other = await workers.start({ url, pipelines: file, leaseMs, pollMs: 20 });
    // The other one has looked around when it started; work it did afterwards shows that it has looked again.
    for (let round = 0; round < 20; round++) await jobEnded(db, (await engine.enqueue(quick.job({}))).id);
    expect(await readJob(db, id)).toMatchObject({ status: "running", workerId: stopped.workerId });
    expect(other.happenings.some(({ type }) => type === "rescued")).toBe(false);
    stopped.resume();
    stopped.open("page 3");
    expect(await jobEnded(db, id)).toMatchObject({ status: "completed", attempts: 1 });
  });
});
