/** Promise 13: the same key answers with the same job, whoever asks and how often; other content under it is refused. */
import { afterEach, beforeEach, expect, it } from "vitest";
import { sql } from "../../src/db/sql.ts";
import { locking, other, plain } from "../fixtures/pipelines/creation.ts";
import { type EnginePlace, openEnginePlace } from "../support/engine-place.ts";
import { raceInProcesses } from "../support/race-in-processes.ts";
import { describeOnEachServer } from "../support/test-database.ts";

const enqueueRace = import.meta.resolve("../fixtures/races/enqueue.ts");

describeOnEachServer("an idempotency key", (server) => {
  let place: EnginePlace;

  beforeEach(async () => {
    place = await openEnginePlace({ pipelines: [locking, other, plain], server });
  });
  afterEach(() => place.close());

  async function countJobs(): Promise<unknown> {
    const [row] = await place.db.query<{ jobs: number }>(sql`select count(*) as jobs from jobs`);
    return row?.jobs;
  }

  it("creates one job when four processes send it fifty times each at once", async () => {
    const argument = { url: place.url, pipeline: "plain", input: { text: "same" }, calls: 50, idempotencyKey: "raced" };
    const outcomes = await raceInProcesses(4, enqueueRace, argument);
    const answers = outcomes.map(({ answer }) => answer as { id: string; created: boolean });
    expect(answers).toHaveLength(200);
    expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
    expect(answers.filter(({ created }) => created)).toHaveLength(1);
    expect(await countJobs()).toBe(1);
  });

  it.each([
    ["another input", other.job({ text: "x" }), other.job({ text: "y" })],
    ["another kind", plain.job({ text: "x" }), other.job({ text: "x" })],
    ["another priority", plain.job({ text: "x" }), plain.job({ text: "x" }, { priority: 1 })],
    ["another delay", plain.job({ text: "x" }), plain.job({ text: "x" }, { delayMs: 60_000 })],
  ])("is refused with %s, and nothing is written", async (_, before, after) => {
    const { engine } = place;
    const { id } = await engine.enqueue(before, { idempotencyKey: "reused" });
    await expect(engine.enqueue(after, { idempotencyKey: "reused" })).rejects.toMatchObject({
      code: "IDEMPOTENCY_KEY_REUSED",
    });
    expect(await countJobs()).toBe(1);
    expect(await engine.enqueue(before, { idempotencyKey: "reused" })).toEqual({ id, created: false });
  });

  it("answers for a batch with the same batch and its jobs", async () => {
    const { engine } = place;
    const batch = { pipeline: plain, jobs: [plain.job({ text: "one" }), plain.job({ text: "two" })] };
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => engine.createBatch(batch, { idempotencyKey: "batch" })),
    );
    expect(answers.filter(({ created }) => created)).toHaveLength(1);
    for (const answer of answers) expect(answer).toMatchObject({ id: answers[0]?.id, jobIds: answers[0]?.jobIds });
    expect(await countJobs()).toBe(2);
    const fewer = { ...batch, jobs: batch.jobs.slice(1) };
    await expect(engine.createBatch(fewer, { idempotencyKey: "batch" })).rejects.toMatchObject({
      code: "IDEMPOTENCY_KEY_REUSED",
    });
    await expect(engine.enqueue(plain.job({ text: "one" }), { idempotencyKey: "batch" })).rejects.toMatchObject({
      code: "IDEMPOTENCY_KEY_REUSED",
    });
  });

  it("is not used up by work that could not be created", async () => {
    const { engine } = place;
    const { id } = await engine.enqueue(locking.job({ book: "1" }));
    const again = () => engine.enqueue(locking.job({ book: "1" }), { idempotencyKey: "locked" });
    await expect(again()).rejects.toMatchObject({ code: "LOCK_HELD" });
    await engine.cancelJob(id);
    expect(await again()).toMatchObject({ created: true });
  });

  it.each([
    ["empty", ""],
    ["too long", "x".repeat(256)],
  ])("that is %s is refused", async (_, idempotencyKey) => {
    await expect(place.engine.enqueue(plain.job({ text: "x" }), { idempotencyKey })).rejects.toMatchObject({
      code: "INVALID_IDEMPOTENCY_KEY",
    });
    expect(await countJobs()).toBe(0);
  });
});
