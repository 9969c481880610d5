/** Progress is absolute: said twice it changes nothing, said late it changes nothing, and what is done stays done. */
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { pipeline } from "../../src/jobs/pipeline.ts";
import type { ProgressWrite } from "../../src/jobs/queries/job-write.ts";
import type { StageContext } from "../../src/jobs/stage-context.ts";
import { jobEnded, jobWhen, readJob, readStream } from "../support/read-job.ts";
import { openEngineOnDatabase } from "../support/test-engine.ts";

type Context = StageContext<object, object>;

/** A job whose stage is in the test's hand: it waits there until `finish` is called. */
async function holdStage() {
  const entered = Promise.withResolvers<Context>();
  const gate = Promise.withResolvers<unknown>();
  const work = pipeline("held", { input: z.object({}) }).stage("only", async (context) => {
    entered.resolve(context);
    return gate.promise;
  });
  const place = await openEngineOnDatabase([work]);
  await place.engine.startWorker();
  const { jobIds } = await place.engine.createBatch({ pipeline: work, jobs: [work.job({})] });
  const id = jobIds[0] as string;
  const context = await entered.promise;
  return {
    ...place,
    id,
    context,
    finish: (output: unknown = "done") => gate.resolve(output),
    async [Symbol.asyncDispose]() {
      gate.resolve("done");
      await place[Symbol.asyncDispose]();
    },
  };
}

const shown = {
  totalItems: 10,
  completedItems: 5,
  failedItems: 1,
  currentItem: "7",
  lastCompletedItem: "6",
  message: "Reading",
};
const said: ProgressWrite = {
  total: 10,
  completed: 5,
  failed: 1,
  current: "7",
  lastCompleted: "6",
  message: "Reading",
};

describe("progress", () => {
  it("is what was said last, and what was left out stays", async () => {
    await using held = await holdStage();
    const { db, id, context } = held;
    await context.progress({ ...said, detail: { page: 7 } });
    expect(await readJob(db, id)).toMatchObject({ ...shown, detail: { page: 7 } });
    await context.progress({ completed: 6 });
    expect(await readJob(db, id)).toMatchObject({ ...shown, completedItems: 6, detail: { page: 7 } });
    await context.progress({ current: null, message: null });
    expect(await readJob(db, id)).toMatchObject({ ...shown, completedItems: 6, currentItem: null, message: null });
  });

  it("said twice changes nothing: not the row, not the stream", async () => {
    await using held = await holdStage();
    const { db, id, context } = held;
    await context.progress(said);
    const before = await readJob(db, id);
    await context.progress(said);
    await context.progress({ ...said });
    expect(await readJob(db, id)).toEqual(before);
  });

  it("never takes back what was completed, and never exceeds its total", async () => {
    await using held = await holdStage();
    const { db, id, context } = held;
    await context.progress({ total: 10, completed: 5, failed: 0 });
    await context.progress({ total: 10, completed: 3, failed: 0 });
    expect(await readJob(db, id)).toMatchObject({ totalItems: 10, completedItems: 5, failedItems: 0 });
    await context.progress({ total: 4, completed: 5, failed: 2 });
    const job = await readJob(db, id);
    expect(job).toMatchObject({ completedItems: 5, failedItems: 2 });
    expect(job.completedItems + job.failedItems).toBeLessThanOrEqual(job.totalItems ?? 0);
  });

  it("goes to the job's stream and to its batch's, without its detail", async () => {
    await using held = await holdStage();
    const { db, id, context } = held;
    await context.progress({ ...said, detail: { secret: true } });
    const event = (await readStream(db, id)).at(-1);
    expect(event).toMatchObject({ type: "job_progress", data: { stage: "only", ...said } });
    expect(event?.data).not.toHaveProperty("detail");
    const inBatch = (await readStream(db, context.job.batchId as string)).at(-1);
    expect(inBatch).toMatchObject({ type: "job_progress", data: { jobId: id, sequence: 1, completed: 5 } });
  });

  it("is a silent no-op once the job is no longer ours", async () => {
    await using held = await holdStage();
    const { db, id, context, engine } = held;
    await context.progress(said);
    await engine.cancelJob(id);
    const before = await readJob(db, id);
    await context.progress({ ...said, completed: 9 });
    expect(await readJob(db, id)).toEqual(before);
    expect(before).toMatchObject({ ...shown, status: "cancelled", currentItem: null });
  });

  it("is kept when the job ends, but for the item it was at", async () => {
    await using held = await holdStage();
    const { db, id, context, finish } = held;
    await context.progress(said);
    finish();
    expect(await jobEnded(db, id)).toMatchObject({ ...shown, status: "completed", currentItem: null });
  });

  it("is there as soon as it was awaited", async () => {
    await using held = await holdStage();
    const { db, id, context } = held;
    for (let completed = 1; completed <= 5; completed++) {
      await context.progress({ total: 5, completed });
      expect((await readJob(db, id)).completedItems).toBe(completed);
    }
  });
});

describe("progress over several loops of one job", () => {
  it("counts what failed in each of them", async () => {
    const work = pipeline("two-loops", { input: z.object({}) })
      .stage("first", async ({ items }) => {
        await items(["1", "2"], { key: String }, async (page) => {
          if (page === "2") throw new Error("no ink");
        });
      })
      .stage("second", async ({ items }) => {
        await items(["a", "b"], { key: String }, async () => undefined);
      });
    await using place = await openEngineOnDatabase([work]);
    await place.engine.startWorker();
    const { id } = await place.engine.enqueue(work.job({}));
    const job = await jobEnded(place.db, id);
    expect(job.status).toBe("completed");
    // A job that ends with an item failed says so, whichever of its stages the item belonged to.
    expect(job.failedItems).toBe(1);
    expect(job.lastCompletedItem).toBe("b");
  });
});

describe("started_at", () => {
  it("is not moved by progress or heartbeats", async () => {
    await using held = await holdStage();
    const { db, id, context } = held;
    const { startedAt } = await jobWhen(db, id, ({ status }) => status === "running");
    await context.progress({ total: 2, completed: 1 });
    expect((await readJob(db, id)).startedAt).toEqual(startedAt);
  });
});
