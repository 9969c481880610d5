import { describe, expect, it } from "vitest";
import { watchHost } from "../../src/jobs/watch-host.ts";
import { openStream } from "../support/event-reader.ts";
import { openHttpPlace } from "../support/http-place.ts";
import { silentLogger } from "../support/silent-logger.ts";
import { until } from "../support/until.ts";
import { useWorkerProcesses } from "../support/worker-process.ts";

const pipelines = import.meta.resolve("../fixtures/pipelines/http.ts");
const terms = { pipelines, leaseMs: 1_500, heartbeatMs: 300 };

describe("a job whose worker is gone", () => {
  const processes = useWorkerProcesses();

  it("is taken back by whoever looks at it", async () => {
    await using place = await openHttpPlace();
    const worker = await processes.start({ url: place.databaseUrl, ...terms });
    const id = await place.create("held", { gate: "never" });
    const running = await until(async () => {
      const { body } = await place.ask(`/api/jobs/${id}`);
      return body.stage === "wait" && body;
    });
    expect(running.worker.pid).toBe(worker.pid);
    await worker.kill();
    const job = await until(async () => {
      const { body } = await place.ask(`/api/jobs/${id}`);
      return body.status !== "running" && body;
    });
    // Its finished stage stays finished; nobody is left who could run the rest.
    expect(job).toMatchObject({ status: "pending", stage: "wait", worker: null, heartbeatAt: null });
    expect(job.waiting.reason).toBe("no_worker");
    expect(job.errorLog).toMatchObject([{ code: "LEASE_LOST", workerId: worker.workerId }]);
    expect((await place.ask("/api/workers")).body.items).toMatchObject([
      { id: worker.workerId, state: "lost", running: 0 },
    ]);
  });

  it("is taken back at once by a process on its host that runs no jobs, long before its lease ends", async () => {
    await using place = await openHttpPlace();
    const worker = await processes.start({ url: place.databaseUrl, ...terms, leaseMs: 3_600_000 });
    const id = await place.create("held", { gate: "never" });
    await place.untilState(id, "running");
    const { engine, db } = place;
    const watch = watchHost({ engine, control: db, everyMs: 20, logger: silentLogger });
    try {
      await worker.kill();
      const job = await place.untilState(id, "pending");
      expect(job.errorLog).toMatchObject([{ code: "LEASE_LOST", workerId: worker.workerId }]);
    } finally {
      await watch.stop();
    }
  });

  it("is listed in the state it has then, never as running", async () => {
    await using place = await openHttpPlace();
    const worker = await processes.start({ url: place.databaseUrl, ...terms });
    const [held, fragile] = [
      await place.create("held", { gate: "never" }),
      await place.create("fragile", { gate: "never" }),
    ];
    for (const id of [held, fragile]) await place.untilState(id, "running");
    await worker.pause();
    const failed = await until(async () => {
      const { body } = await place.ask("/api/jobs?state=failed");
      return body.items.length > 0 && body.items;
    });
    expect(failed).toMatchObject([{ id: fragile, errorCode: "LEASE_LOST" }]);
    expect((await place.ask("/api/jobs?state=running")).body.items).toEqual([]);
    expect((await place.ask("/api/stats")).body.jobs).toMatchObject({ running: 0, pending: 1, failed: 1 });
    await worker.kill();
  });

  it("is seen to be lost by a reader of its stream, though no other worker is there to notice", async () => {
    await using place = await openHttpPlace({ keepAliveMs: 50 });
    const worker = await processes.start({ url: place.databaseUrl, ...terms });
    const id = await place.create("fragile", { gate: "never" });
    await place.untilState(id, "running");
    await using stream = await openStream(`${place.url}/api/jobs/${id}/stream`);
    expect((await stream.next())?.type).toBe("state_sync");
    await worker.kill();
    expect((await stream.rest()).map(({ type }) => type)).toEqual(["job_lost", "job_failed"]);
  });

  it("can be retried at once where its pipeline says that it fails", async () => {
    await using place = await openHttpPlace();
    const worker = await processes.start({ url: place.databaseUrl, ...terms });
    const id = await place.create("fragile", { gate: "never" });
    await place.untilState(id, "running");
    await worker.kill();
    const answer = await until(async () => {
      const retried = await place.post(`/api/jobs/${id}/retry`);
      return retried.status === 200 && retried;
    });
    expect(answer.body).toMatchObject({ status: "pending", attempts: 0, errorCode: null });
  });
});
