/**
 * Kills a worker's process with SIGKILL right before, inside and right after every sort of commit it makes, lets another
 * worker go on, and counts: what had its checkpoint is not run again, and every effect is there once.
 */
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Queryable } from "../../src/db/database.ts";
import { sql } from "../../src/db/sql.ts";
import type { FaultPointName } from "../../src/jobs/fault-points.ts";
import { createPipelines } from "../fixtures/tower.ts";
import { countEffects, countExecutions, createEffectTables } from "../support/effects.ts";
import { type Fault, startFaultWorker } from "../support/fault-worker.ts";
import { jobEnded, readItems, readJob, readStages, readStream } from "../support/read-job.ts";
import { createTestDatabase, describeOnEachServer, type TestDatabase } from "../support/test-database.ts";
import { openTestEngine, type TestEngine } from "../support/test-engine.ts";
import { until } from "../support/until.ts";

const stages = ["plain", "parent", "committed", "plain-items", "committed-items", "last"];
const steps = [
  "plain",
  "parent",
  "committed",
  ...["1", "2", "3"].flatMap((page) => [`plain-items ${page}`, `committed-items ${page}`]),
  "last",
];
const committedSteps = steps.filter((step) => step.startsWith("committed") || step === "last");

const points: FaultPointName[] = ["commit.before", "commit.inside", "commit.after"];
const targets: { name: string; step: string; at: Omit<Fault, "point"> }[] = [
  { name: "a stage's checkpoint", step: "plain", at: { stage: "plain" } },
  { name: "a checkpoint with a child job", step: "parent", at: { stage: "parent" } },
  { name: "a checkpoint with commit(tx)", step: "committed", at: { stage: "committed" } },
  { name: "an item's checkpoint", step: "plain-items 2", at: { stage: "plain-items", item: "2" } },
  { name: "an item's commit(tx)", step: "committed-items 2", at: { stage: "committed-items", item: "2" } },
];
// The author's commit(tx) makes the last stage's write the completion, so before it has run only the stage is known.
const completion = { name: "the completion", step: "last" };
const cases: (Fault & { name: string; step: string })[] = [
  ...targets.flatMap(({ at, ...target }) => points.map((point) => ({ ...target, ...at, point }))),
  { ...completion, point: "commit.before", stage: "last" },
  { ...completion, point: "commit.inside", transition: "complete" },
  { ...completion, point: "commit.after", transition: "complete" },
];

describeOnEachServer("after kill -9", (server) => {
  let database: TestDatabase;
  let engine: TestEngine;
  let tower: ReturnType<typeof createPipelines>["tower"];

  beforeAll(async () => {
    database = await createTestDatabase({ server });
    await createEffectTables(database.db);
    const pipelines = createPipelines(database);
    tower = pipelines.tower;
    engine = openTestEngine({ url: database.url, pipelines: Object.values(pipelines) });
  });

  afterAll(async () => {
    await engine.close();
    await database.drop();
  });

  // What is certain to be undone shows the difference between versions, if there is any; the rest is the same SQL.
  const chosen = server === "18" ? cases : cases.filter(({ point }) => point === "commit.inside");

  it.each(chosen)("$point of $name, the job goes on from its last checkpoint", async ({ name: _, step, ...fault }) => {
    const { point } = fault;
    const { db, url } = database;
    const { id } = await engine.enqueue(tower.job({}));
    const victim = await startFaultWorker({ url, fixture: "tower.ts", fault: { ...fault, jobId: id } });
    expect(await victim.exited).toBe("SIGKILL");
    await until(() => connectionsGone(db));

    const begun = await countExecutions(db, id);
    const done = await finishedSteps(db, id);
    expect(begun[step]).toBe(1);
    // A statement that was on its way when its sender died may have landed or not; all else is certain.
    if (point === "commit.before" || (point === "commit.inside" && !step.startsWith("plain"))) {
      expect(done).not.toContain(step);
    }
    if (point === "commit.after") expect(done).toContain(step);

    const worker = await engine.startWorker();
    const job = await jobEnded(db, id);
    await until(() => nobodyWaits(db));
    await worker.stop(5_000);

    expect(job).toMatchObject({ status: "completed", result: "last", completedItems: 6, failedItems: 0 });
    const expected = steps.map((name) => [name, begun[name] && !done.includes(name) ? 2 : 1]);
    expect(await countExecutions(db, id)).toEqual(Object.fromEntries(expected));
    expect(await countEffects(db, id)).toEqual(Object.fromEntries(committedSteps.map((name) => [name, 1])));
    expect((await readStages(db, id)).sort()).toEqual(stages.slice(0, -1).sort());
    expect(await childrenOf(db, id)).toEqual(["after", "committed", "parent"]);

    const events = await readStream(db, id);
    expect(events.filter(({ type }) => type === "job_completed")).toHaveLength(1);
    const checkpoints = events.filter(({ type }) => type === "stage_completed").map(({ data }) => data.stage);
    expect(checkpoints).toEqual(stages.slice(0, -1));
    const completionLanded = done.includes("last");
    expect(events.filter(({ type }) => type === "job_lost")).toHaveLength(completionLanded ? 0 : 1);
    expect(job.attempts).toBe(completionLanded ? 1 : 2);
  });
});

/** The completion is the last stage's checkpoint. */
async function finishedSteps(db: Queryable, jobId: string): Promise<string[]> {
  const items = await readItems(db, jobId);
  const { status } = await readJob(db, jobId);
  return [
    ...(await readStages(db, jobId)),
    ...items.filter(({ done }) => done).map(({ stage, key }) => `${stage} ${key}`),
    ...(status === "completed" ? ["last"] : []),
  ];
}

/** What the children were made for; each must have run once, to the end. */
async function childrenOf(db: Queryable, jobId: string): Promise<string[]> {
  const children = await db.query<{ what: string }>(sql`
    select e.what from jobs j join effects e on e.job_id = j.id
    where j.parent_id = ${jobId} and j.status = 'completed' order by e.what`);
  return children.map(({ what }) => what);
}

async function nobodyWaits(db: Queryable): Promise<boolean> {
  return (await db.query(sql`select from jobs where status in ('pending', 'running')`)).length === 0;
}

/** Whether the server has noticed that the killed process is gone, and whatever it had sent is done or undone. */
async function connectionsGone(db: Queryable): Promise<boolean> {
  const others = await db.query(sql`
    select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'`);
  return others.length === 0;
}
