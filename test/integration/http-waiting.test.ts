import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sql } from "../../src/db/sql.ts";
import { type HttpPlace, openHttpPlace } from "../support/http-place.ts";
import { until } from "../support/until.ts";

describe("why a job waits", () => {
  let place: HttpPlace;
  beforeAll(async () => {
    place = await openHttpPlace();
  });
  afterAll(() => place.close());

  const waiting = async (id: string) => (await place.ask(`/api/jobs/${id}`)).body.waiting;

  it("because nobody serves its kind", async () => {
    const id = await place.create("quick", { n: 1 });
    const { reason, explanation, estimatedStartAt } = await waiting(id);
    expect([reason, estimatedStartAt]).toEqual(["no_worker", null]);
    expect(explanation).toContain(`"quick"`);
    await place.engine.cancelJob(id);
  });

  it("because of a limit, its batch or the queue", async () => {
    await place.startWorker(4);
    const first = await place.create("limited", { gate: "never" });
    await place.untilState(first, "running");
    const second = await place.create("limited", { gate: "never" });
    const third = await place.create("limited", { gate: "never" });
    expect(await waiting(second)).toMatchObject({ reason: "limit", position: 0 });
    expect(await waiting(third)).toMatchObject({ reason: "limit", position: 1 });

    const pipeline = place.engine.registry.get("pair");
    const jobs = [1, 2, 3].map(() => ({ pipeline, input: { gate: "never" } }));
    const { jobIds } = await place.engine.createBatch({ pipeline, jobs });
    await place.untilState(jobIds[0] as string, "running");
    expect(await waiting(jobIds[2] as string)).toMatchObject({ reason: "batch_limit", position: 1 });

    // Each of the two above has a slot; these take the other two.
    const holders = [await place.create("held", { gate: "never" }), await place.create("held", { gate: "never" })];
    for (const id of holders) await place.untilState(id, "running");
    const queued = await place.create("held", { gate: "never" });
    const behind = await place.create("held", { gate: "never" });
    const ahead = await place.create("held", { gate: "never" }, { priority: 5 });
    await place.create("held", { gate: "never" }, { priority: 9, delayMs: 3_600_000 });
    expect(await waiting(queued)).toMatchObject({ reason: "queue", position: 1, estimatedStartAt: null });
    expect(await waiting(behind)).toMatchObject({ reason: "queue", position: 2 });
    expect(await waiting(ahead)).toMatchObject({ reason: "queue", position: 0 });

    // Batches take turns with single jobs: each has had as many before the second as the single ones have.
    const held = place.engine.registry.get("held");
    await place.engine.createBatch({
      pipeline: held,
      jobs: [1, 2, 3, 4, 5].map(() => ({ pipeline: held, input: { gate: "never" } })),
    });
    expect(await waiting(behind)).toMatchObject({ reason: "queue", position: 3 });
  });

  it("with an estimate once durations have been measured", async () => {
    const [worker] = await place.db.query<{ id: string }>(sql`select id from workers`);
    const measured = { held: { jobs: 10, meanMs: 60_000 } };
    const later: string[] = [];
    for (let n = 0; n < 8; n++) later.push(await place.create("held", { gate: "never" }, { priority: -5 }));
    const estimate = await until(async () => {
      // The worker's heartbeat writes what it has measured itself, which is nothing.
      await place.db.query(
        sql`update workers set durations = ${JSON.stringify(measured)}::jsonb where id = ${worker?.id}`,
      );
      const { estimatedStartAt, position } = await waiting(later.at(-1) as string);
      // 7 of its own priority, 3 single ones and a batch of 5 before them.
      expect(position).toBe(15);
      return estimatedStartAt !== null && Date.parse(estimatedStartAt) - Date.now();
    });
    // 4 run and 15 go before it, on 4 slots, a minute each: four rounds.
    expect(estimate / 60_000).toBeCloseTo(4, 0);
  });

  it("because of its time or its backoff", async () => {
    await using other = await openHttpPlace();
    await other.startWorker();
    const id = await other.create("quick", { n: 1 }, { delayMs: 3_600_000 });
    const { body } = await other.ask(`/api/jobs/${id}`);
    expect(body.waiting).toMatchObject({ reason: "backoff", estimatedStartAt: body.runAt });

    const failing = await other.create("failing", { retryable: true });
    const backing = await until(async () => {
      const { body: job } = await other.ask(`/api/jobs/${failing}`);
      return job.attempts === 1 && job.status === "pending" && job;
    });
    expect(backing.waiting.reason).toBe("backoff");
    expect(backing.waiting.explanation).toContain("Attempt 1 of 2");
    expect(backing.errorLog).toMatchObject([{ attempt: 1, code: "RATE_LIMIT", retryable: true }]);
  });
});
