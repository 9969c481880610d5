/** Promise 3: a worker that was stopped beyond its lease and comes back changes nothing, in none of the ways to write. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sql } from "../../src/db/sql.ts";
import { short, waysToWrite, writes } from "../fixtures/pipelines/fencing.ts";
import { type EnginePlace, openEnginePlace } from "../support/engine-place.ts";
import { jobEnded, readErrors, readItems, readJob, readStages, readStream } from "../support/read-job.ts";
import { until } from "../support/until.ts";
import { useWorkerProcesses, type WorkerProcess } from "../support/worker-process.ts";

const file = import.meta.resolve("../fixtures/pipelines/fencing.ts");
const lease = { leaseMs: 1_200, heartbeatMs: 300, pollMs: 100 };
type Way = (typeof waysToWrite)[number];
const moments = ["while the job runs elsewhere", "after the job was finished elsewhere"] as const;

describe("a worker that comes back after its lease", () => {
  const workers = useWorkerProcesses("suite");
  let place: EnginePlace;
  let returned: WorkerProcess;
  const jobs = new Map<string, string>();
  const jobOf = (way: Way, moment: (typeof moments)[number]) => jobs.get(`${way} ${moment}`) as string;

  beforeAll(async () => {
    place = await openEnginePlace({ pipelines: [short, writes] });
    const { db, engine, url } = place;
    await db.query(sql`create table results (job_id uuid not null, attempt integer not null)`);
    const both = moments.flatMap((moment) => waysToWrite.map((way) => ({ moment, way })));
    const ids = await engine.enqueueMany(both.map(({ way }) => writes.job({ way })));
    for (const [index, { moment, way }] of both.entries()) jobs.set(`${way} ${moment}`, ids[index] as string);

    const slots = both.length + 4;
    returned = await workers.start({ url, pipelines: file, slots, ...lease });
    for (const id of ids) await returned.reported("begun", ({ jobId }) => jobId === id);
    await returned.pause();
    const other = await workers.start({ url, pipelines: file, kinds: ["writes"], slots, ...lease });
    for (const id of ids) await other.reported("begun", ({ jobId }) => jobId === id);

    const finish = async (moment: (typeof moments)[number]) => {
      const chosen = waysToWrite.map((way) => jobOf(way, moment));
      for (const id of chosen) other.open(`${id} attempt 2`);
      await Promise.all(chosen.map((id) => jobEnded(db, id)));
    };
    await finish("after the job was finished elsewhere");
    // New work, for which only the one that was lost is there: it must take it as a worker that is alive.
    const { id: newJob } = await engine.enqueue(short.job({}));
    jobs.set("new", newJob);
    for (const id of ids) returned.open(`${id} attempt 1`);
    returned.resume();
    await returned.happened("lost");
    await until(() =>
      ids.every((id) => returned.happenings.some((seen) => seen.type === "ended" && seen.jobId === id)),
    );
    await finish("while the job runs elsewhere");
  });

  afterAll(async () => {
    await place.close();
  });

  describe.each(moments)("%s", (moment) => {
    it("has no commit", async () => {
      expect(await resultsOf(jobOf("commit", moment))).toEqual([2]);
    });

    it("has no transaction in the middle of a stage", async () => {
      expect(await resultsOf(jobOf("fenced", moment))).toEqual([2]);
    });

    it("has no item checkpoint, and none with a commit", async () => {
      const item = { done: true, lease: 2, output: "attempt 2" };
      expect(await readItems(place.db, jobOf("item", moment))).toMatchObject([item]);
      expect(await readItems(place.db, jobOf("item-commit", moment))).toMatchObject([item]);
      expect(await resultsOf(jobOf("item-commit", moment))).toEqual([2]);
    });

    it("has no progress, and its stage is not disturbed by that", async () => {
      const id = jobOf("progress", moment);
      expect(await readJob(place.db, id)).toMatchObject({ completedItems: 7, message: "attempt 2" });
      const progress = (await readStream(place.db, id)).filter(({ type }) => type === "job_progress");
      expect(progress.map(({ data }) => data.message)).toEqual(["attempt 2"]);
      expect(returned.reports("went on")).toContainEqual({ jobId: id, attempt: 1 });
    });

    it("has no event", async () => {
      const marks = (await readStream(place.db, jobOf("event", moment))).filter(({ type }) => type === "mark");
      expect(marks.map(({ data }) => data)).toEqual([{ who: "attempt 2" }]);
    });

    it("has no checkpoint of a stage", async () => {
      for (const way of ["checkpoint", "commit"] as const) {
        const id = jobOf(way, moment);
        const stages = await place.db.query(sql`select name, lease, output from job_stages where job_id = ${id}`);
        expect(stages).toEqual([{ name: "write", lease: 2, output: "attempt 2" }]);
      }
    });

    it("does not complete the job", async () => {
      const job = await readJob(place.db, jobOf("completion", moment));
      expect(job).toMatchObject({ status: "completed", lease: 2, result: "attempt 2" });
    });

    it("does not fail the job", async () => {
      const id = jobOf("failure", moment);
      expect(await readJob(place.db, id)).toMatchObject({ status: "completed", result: "attempt 2" });
      expect(await readErrors(place.db, id)).toMatchObject([{ code: "LEASE_LOST", lease: 1 }]);
    });

    it.each(waysToWrite)("leaves in the log of the job that writes by %s only its successor's events", async (way) => {
      const id = jobOf(way, moment);
      const events = await readStream(place.db, id);
      const lost = events.findIndex(({ type }) => type === "job_lost");
      const later = events.slice(lost + 1);
      expect(later[0]).toMatchObject({ type: "job_started", data: { attempt: 2, lease: 2 } });
      expect(later.at(-1)).toMatchObject({ type: "job_completed", data: { lease: 2 } });
      expect(later.filter(({ data }) => data.lease === 1)).toEqual([]);
      expect(await readStages(place.db, id)).toEqual(["write"]);
    });
  });

  it("has lost every one of its jobs, as it knows", () => {
    const outcomes = returned.happenings.flatMap((seen) =>
      seen.type === "ended" && seen.kind === "writes" ? seen.outcome : [],
    );
    expect(outcomes).toEqual(Array(waysToWrite.length * moments.length).fill("lost"));
  });

  it("goes on with new jobs, under a new id", async () => {
    const id = jobs.get("new") as string;
    await returned.reported("short", ({ jobId }) => jobId === id);
    const job = await readJob(place.db, id);
    expect(job).toMatchObject({ status: "running", attempts: 1 });
    expect(job.workerId).not.toBe(returned.workerId);
    const rows = await place.db.query(
      sql`select id = ${returned.workerId}::uuid as old, lost_at is not null as lost from workers where pid = ${returned.pid} order by started_at`,
    );
    expect(rows).toEqual([
      { old: true, lost: true },
      { old: false, lost: false },
    ]);
    returned.open("short");
    expect(await jobEnded(place.db, id)).toMatchObject({ status: "completed", attempts: 1 });
  });

  async function resultsOf(jobId: string): Promise<number[]> {
    const rows = await place.db.query<{ attempt: number }>(
      sql`select attempt from results where job_id = ${jobId} order by attempt`,
    );
    return rows.map(({ attempt }) => attempt);
  }
});
