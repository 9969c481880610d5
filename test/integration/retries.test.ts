/**
 * When failed work is tried again, to the millisecond, on a clock that the test holds; what is written down about every
 * attempt; and what a person's retry keeps.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { Queryable } from "../../src/db/database.ts";
import { errorFromStatus, RetryableError, TerminalError } from "../../src/errors.ts";
import { type AnyPipeline, type PipelineOptions, pipeline } from "../../src/jobs/pipeline.ts";
import {
  eventTypes,
  jobEnded,
  jobWhen,
  readErrors,
  readItems,
  readJob,
  readStages,
  readStream,
} from "../support/read-job.ts";
import { createTestClock } from "../support/test-clock.ts";
import { createTestDatabase } from "../support/test-database.ts";
import { openTestEngine } from "../support/test-engine.ts";

const Anything = z.looseObject({});
const marker = pipeline("marker", { input: Anything }).stage("only", () => "done");

/** An engine with a worker of one slot on a clock that stands still until it is moved. */
async function startOnTestClock(pipelines: readonly AnyPipeline[]) {
  const { db, url, drop } = await createTestDatabase();
  const clock = await createTestClock(db);
  const engine = openTestEngine({ url, pipelines: [...pipelines, marker], clock });
  const worker = await engine.startWorker({ slots: 1 });
  return {
    db,
    clock,
    engine,
    worker,
    /** Resolves when the worker has looked for work after this call: a job made now has come and gone. */
    async looksAround() {
      await jobEnded(db, (await engine.enqueue(marker.job({}))).id);
    },
    async [Symbol.asyncDispose]() {
      await engine.close();
      await drop();
    },
  };
}

/** A pipeline of one stage that throws what `fail` makes, every time. */
function failing(fail: (attempt: number) => unknown, retry: PipelineOptions<typeof Anything>["retry"] = {}) {
  return pipeline("failing", { input: Anything, retry }).stage("only", ({ job }) => {
    throw fail(job.attempt);
  });
}

const backedOff = (db: Queryable, id: string, attempt: number) =>
  jobWhen(db, id, ({ status, attempts }) => attempts === attempt && status === "pending");

describe("the schedule of a job", () => {
  it("is base · factor^(n−1), capped, from the moment of the failure; a waiting job holds no slot", async () => {
    const work = failing(() => new RetryableError("SERVICE_UNAVAILABLE", "The reader is down."), {
      attempts: 6,
      baseMs: 1_000,
      factor: 3,
      capMs: 20_000,
    });
    await using place = await startOnTestClock([work]);
    const { db, clock, engine, looksAround } = place;
    const { id } = await engine.enqueue(work.job({}));
    const failedAt: Date[] = [];

    for (const [index, delayMs] of [1_000, 3_000, 9_000, 20_000, 20_000].entries()) {
      const job = await backedOff(db, id, index + 1);
      const now = await clock.read();
      failedAt.push(now);
      expect(job.runAt.getTime() - now.getTime()).toBe(delayMs);
      expect(job).toMatchObject({ errorCode: null, errorMessage: null, completedAt: null, workerId: null });
      // A millisecond early it is left alone although the only slot is free: the other job gets it.
      await clock.advance(delayMs - 1);
      await looksAround();
      expect(await readJob(db, id)).toMatchObject({ status: "pending", attempts: index + 1 });
      await clock.advance(1);
    }
    const job = await jobEnded(db, id);
    failedAt.push(await clock.read());

    expect(job).toMatchObject({
      status: "failed",
      attempts: 6,
      errorCode: "SERVICE_UNAVAILABLE",
      errorMessage: "The reader is down.",
      completedAt: failedAt.at(-1),
    });
    expect(await readErrors(db, id)).toEqual(
      failedAt.map((createdAt, index) => ({
        jobId: id,
        attempt: index + 1,
        lease: index + 1,
        code: "SERVICE_UNAVAILABLE",
        message: "The reader is down.",
        retryable: true,
        stage: "only",
        workerId: place.worker.id,
        createdAt,
      })),
    );
    const events = await readStream(db, id);
    expect(events.filter(({ type }) => type === "job_retrying").map(({ data }) => data.delayMs)).toEqual([
      1_000, 3_000, 9_000, 20_000, 20_000,
    ]);
    expect(events.at(-1)).toMatchObject({
      type: "job_failed",
      data: { errorCode: "SERVICE_UNAVAILABLE", retriable: true, retryCount: 5 },
    });
  });

  it("waits as long as Retry-After says when that is longer, and no shorter than the backoff", async () => {
    const answers = ["120", "3"].map((seconds) =>
      errorFromStatus(429, "Slow down.", new Headers({ "retry-after": seconds })),
    );
    const work = failing((attempt) => answers[attempt - 1], { attempts: 3, baseMs: 5_000, factor: 2, capMs: 60_000 });
    await using place = await startOnTestClock([work]);
    const { db, clock, engine } = place;
    const { id } = await engine.enqueue(work.job({}));
    for (const [index, delayMs] of [120_000, 10_000].entries()) {
      const job = await backedOff(db, id, index + 1);
      expect(job.runAt.getTime() - (await clock.read()).getTime()).toBe(delayMs);
      await clock.advance(delayMs);
    }
    expect(await jobWhen(db, id, ({ attempts }) => attempts === 3)).toBeDefined();
    expect((await readErrors(db, id)).map(({ code }) => code).slice(0, 2)).toEqual(["RATE_LIMIT", "RATE_LIMIT"]);
  });

  it("keeps its place in a batch: the batch waits for the retry and then ends", async () => {
    const work = pipeline("flaky", { input: Anything, perBatch: 1 }).stage("only", ({ job }) => {
      if (job.attempt < 3) throw new RetryableError("TIMEOUT", "Too slow.");
      return job.attempt;
    });
    await using place = await startOnTestClock([work]);
    const { db, clock, engine, looksAround } = place;
    const { jobIds } = await engine.createBatch({ pipeline: work, jobs: [work.job({})] });
    const id = jobIds[0] as string;
    for (const [index, delayMs] of [1_000, 2_000].entries()) {
      await backedOff(db, id, index + 1);
      await clock.advance(delayMs - 1);
      await looksAround();
      expect((await readJob(db, id)).status).toBe("pending");
      await clock.advance(1);
    }
    expect(await jobEnded(db, id)).toMatchObject({ status: "completed", attempts: 3, result: 3 });
  });
});

describe("an attempt that fails", () => {
  it("for good is the last one", async () => {
    const work = failing(
      () => new TerminalError("ENCRYPTED_PDF", "The PDF is encrypted. Upload it without a password."),
    );
    await using place = await startOnTestClock([work]);
    const { db, engine } = place;
    const { id } = await engine.enqueue(work.job({}));
    const job = await jobEnded(db, id);
    expect(job).toMatchObject({ status: "failed", attempts: 1, errorCode: "ENCRYPTED_PDF" });
    expect(job.errorMessage).toBe("The PDF is encrypted. Upload it without a password.");
    expect(await readErrors(db, id)).toMatchObject([{ attempt: 1, code: "ENCRYPTED_PDF", retryable: false }]);
    expect(await eventTypes(db, id)).toEqual(["job_started", "job_failed"]);
  });

  it.each([
    ["an error", () => new RangeError("page 7 has no ink"), "page 7 has no ink"],
    ["a text", () => "just a text", "A stage threw 'just a text', which is not an error."],
    ["nothing", () => undefined, "A stage threw undefined, which is not an error."],
  ])("with %s nobody has typed is UNKNOWN, with its own words, and not repeated", async (_, thrown, message) => {
    const work = failing(thrown);
    await using place = await startOnTestClock([work]);
    const { id } = await place.engine.enqueue(work.job({}));
    const ended = { status: "failed", attempts: 1, errorCode: "UNKNOWN", errorMessage: message };
    expect(await jobEnded(place.db, id)).toMatchObject(ended);
  });

  it("for want of a network, or of an answer in time, is repeated", async () => {
    const silent = createServer(() => undefined).listen(0, "127.0.0.1");
    const closed = createServer().listen(0, "127.0.0.1");
    await Promise.all([silent, closed].map((server) => new Promise((resolve) => server.once("listening", resolve))));
    const [silentPort, closedPort] = [silent, closed].map((server) => (server.address() as AddressInfo).port);
    await new Promise((resolve) => closed.close(resolve));
    const work = pipeline("fetching", { input: Anything }).stage("only", async ({ job }) => {
      const port = job.attempt === 1 ? closedPort : silentPort;
      await fetch(`http://127.0.0.1:${port}/`, { signal: AbortSignal.timeout(500) });
    });
    await using place = await startOnTestClock([work]);
    const { id } = await place.engine.enqueue(work.job({}));
    await backedOff(place.db, id, 1);
    await place.clock.advance(1_000);
    await backedOff(place.db, id, 2);
    expect((await readErrors(place.db, id)).map(({ code }) => code)).toEqual(["NETWORK_ERROR", "TIMEOUT"]);
    silent.closeAllConnections();
    silent.close();
  });

  it("is named by the pipeline where a library gives nothing but text", async () => {
    const work = pipeline("classified", {
      input: Anything,
      classify: (error) =>
        error instanceof Error && error.message.includes("quota")
          ? new TerminalError("QUOTA", "The quota is used up.")
          : undefined,
    }).stage("only", () => {
      throw new Error("quota exceeded");
    });
    await using place = await startOnTestClock([work]);
    const { id } = await place.engine.enqueue(work.job({}));
    expect(await jobEnded(place.db, id)).toMatchObject({ status: "failed", errorCode: "QUOTA" });
  });

  it("leaves partial progress, checkpoints and item errors there", async () => {
    const work = pipeline("partial", { input: Anything })
      .stage("pages", ({ items }) =>
        items(["1", "2", "3"], { key: String }, async (page) => {
          if (page === "2") throw new TerminalError("EMPTY_OCR", "Page 2 has no text.");
          return page;
        }).then(({ outputs }) => [...outputs.keys()]),
      )
      .stage("last", () => {
        throw new TerminalError("NO_INDEX", "The index is gone.");
      });
    await using place = await startOnTestClock([work]);
    const { db, engine } = place;
    const { id } = await engine.enqueue(work.job({}));
    expect(await jobEnded(db, id)).toMatchObject({
      status: "failed",
      errorCode: "NO_INDEX",
      totalItems: 3,
      completedItems: 2,
      failedItems: 1,
      lastCompletedItem: "3",
    });
    expect((await readItems(db, id)).find(({ key }) => key === "2")?.error).toEqual({
      error: "Page 2 has no text.",
      error_type: "terminal",
      code: "EMPTY_OCR",
    });
    expect(await readStages(db, id)).toEqual(["pages"]);
  });

  it("with a message no database holds is still written down", async () => {
    const work = failing(() => new TerminalError("BROKEN", `a\0b${"x".repeat(20_000)}`));
    await using place = await startOnTestClock([work]);
    const { id } = await place.engine.enqueue(work.job({}));
    const job = await jobEnded(place.db, id);
    expect(job.errorCode).toBe("BROKEN");
    expect(job.errorMessage).toMatch(/^a\uFFFDbx{100}/);
  });
});

describe("an item's own tries", () => {
  const policy = { attempts: 5, baseMs: 2_000, factor: 2 };
  const triesUntil = (good: number, error: (attempt: number) => Error = () => errorFromStatus(429, "Slow down.")) => {
    let tries = 0;
    return pipeline("tries", { input: Anything }).stage("pages", ({ items }) =>
      items(["1"], { key: String, retry: policy }, async () => {
        tries++;
        if (tries < good) throw error(tries);
        return tries;
      }).then(({ outputs, failures }) => ({ outputs: [...outputs.values()], failures: [...failures.keys()] })),
    );
  };

  it("are five in all, after 2, 4, 8 and 16 seconds; then the item has failed and the job goes on", async () => {
    const work = triesUntil(99);
    await using place = await startOnTestClock([work]);
    const { db, clock, engine } = place;
    const { id } = await engine.enqueue(work.job({}));
    const job = await jobEnded(db, id);
    expect(clock.waits).toEqual([2_000, 4_000, 8_000, 16_000]);
    expect(job).toMatchObject({ status: "completed", attempts: 1, completedItems: 0, failedItems: 1, totalItems: 1 });
    expect(job.result).toEqual({ outputs: [], failures: ["1"] });
    expect((await readItems(db, id))[0]?.error).toEqual({
      error: "Slow down.",
      error_type: "retryable",
      code: "RATE_LIMIT",
    });
  });

  it("end with the first success", async () => {
    const work = triesUntil(3);
    await using place = await startOnTestClock([work]);
    const { id } = await place.engine.enqueue(work.job({}));
    const job = await jobEnded(place.db, id);
    expect(place.clock.waits).toEqual([2_000, 4_000]);
    expect(job).toMatchObject({
      status: "completed",
      completedItems: 1,
      failedItems: 0,
      result: { outputs: [3], failures: [] },
    });
  });

  it("wait for Retry-After", async () => {
    const work = triesUntil(2, () => errorFromStatus(429, "Slow down.", new Headers({ "retry-after": "30" })));
    await using place = await startOnTestClock([work]);
    const { id } = await place.engine.enqueue(work.job({}));
    await jobEnded(place.db, id);
    expect(place.clock.waits).toEqual([30_000]);
  });

  it("end with a terminal error", async () => {
    const work = triesUntil(99, (attempt) =>
      attempt === 2 ? new TerminalError("CORRUPT", "A corrupt image.") : errorFromStatus(503, "no"),
    );
    await using place = await startOnTestClock([work]);
    const { id } = await place.engine.enqueue(work.job({}));
    await jobEnded(place.db, id);
    expect(place.clock.waits).toEqual([2_000]);
    expect((await readItems(place.db, id))[0]?.error).toMatchObject({ error_type: "terminal", code: "CORRUPT" });
  });
});

describe("a person's retry", () => {
  it("resets the attempts and the schedule, and keeps every checkpoint", async () => {
    const runs: string[] = [];
    let broken = true;
    const work = pipeline("repaired", { input: Anything, retry: { attempts: 2, baseMs: 1_000 } })
      .stage("first", () => {
        runs.push("first");
        return "kept";
      })
      .stage("pages", async ({ items }) => {
        await items(["1", "2"], { key: String }, async (page) => void runs.push(`page ${page}`));
        if (broken) throw new RetryableError("SERVICE_UNAVAILABLE", "Not now.");
      })
      .stage("last", ({ outputs }) => outputs.first);
    await using place = await startOnTestClock([work]);
    const { db, clock, engine } = place;
    const { id } = await engine.enqueue(work.job({}));
    await backedOff(db, id, 1);
    await clock.advance(1_000);
    expect(await jobEnded(db, id)).toMatchObject({ status: "failed", attempts: 2 });

    await engine.retryJob(id);
    const again = await backedOff(db, id, 1);
    expect(again.runAt.getTime() - (await clock.read()).getTime()).toBe(1_000);
    broken = false;
    await clock.advance(1_000);
    const job = await jobEnded(db, id);

    expect(job).toMatchObject({
      status: "completed",
      attempts: 2,
      result: "kept",
      errorCode: null,
      errorMessage: null,
    });
    expect(runs).toEqual(["first", "page 1", "page 2"]);
    expect((await readErrors(db, id)).map(({ attempt }) => attempt)).toEqual([1, 2, 1]);
    expect((await eventTypes(db, id)).filter((type) => type === "job_retried")).toHaveLength(1);
  });

  it("is refused unless the job has failed or was cancelled, naming both states", async () => {
    await using place = await startOnTestClock([]);
    const { db, engine } = place;
    const { id } = await engine.enqueue(marker.job({}));
    await jobEnded(db, id);
    const refused = { code: "INVALID_TRANSITION", details: { from: "completed", to: "pending" } };
    await expect(engine.retryJob(id)).rejects.toMatchObject(refused);
    const later = await engine.enqueue(marker.job({}, { delayMs: 60_000 }));
    await expect(engine.retryJob(later.id)).rejects.toMatchObject({ details: { from: "pending", to: "pending" } });
    await expect(engine.retryJob("01890000-0000-7000-8000-000000000000")).rejects.toMatchObject({ code: "NOT_FOUND" });
  });
});
