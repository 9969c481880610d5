/** A stage's loop over its items: the done ones are skipped, the holes are filled, the failed ones are told apart. */
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { sql } from "../../src/db/sql.ts";
import { RetryableError, TerminalError } from "../../src/errors.ts";
import { pipeline } from "../../src/jobs/pipeline.ts";
import { countEffects, createEffectTables, writeEffect } from "../support/effects.ts";
import { jobEnded, readItems, readJob } from "../support/read-job.ts";
import { openEngineOnDatabase } from "../support/test-engine.ts";

const Nothing = z.object({});
const pages = ["1", "2", "3", "4", "5"];
const fastRetry = { attempts: 3, baseMs: 1, factor: 1 };

describe("items", () => {
  it("are holes, not a high-water mark: a later run takes those not done, in the list's order, and no other", async () => {
    const runs: string[][] = [];
    const work = pipeline("holes", { input: Nothing, retry: fastRetry }).stage("pages", async ({ job, items }) => {
      const seen: string[] = [];
      runs.push(seen);
      const { outputs, failures } = await items(pages, { key: String }, async (page) => {
        seen.push(page);
        if (job.attempt === 1 && (page === "2" || page === "4"))
          throw new TerminalError("EMPTY_OCR", `Page ${page} is empty.`);
        return `text ${page}`;
      });
      if (failures.size > 0) throw new RetryableError("SOME_PAGES", `${failures.size} pages failed.`);
      return [...outputs];
    });
    await using place = await openEngineOnDatabase([work]);
    const { db, engine } = place;
    await engine.startWorker();
    const { id } = await engine.enqueue(work.job({}));
    const job = await jobEnded(db, id);
    expect(runs).toEqual([pages, ["2", "4"]]);
    expect(job).toMatchObject({ status: "completed", totalItems: 5, completedItems: 5, failedItems: 0 });
    expect(job.result).toEqual(pages.map((page) => [page, `text ${page}`]));
    expect((await readItems(db, id)).every(({ done, error }) => done && error === null)).toBe(true);
  });

  it("that failed don't fail the job; each keeps its error", async () => {
    const work = pipeline("tolerant", { input: Nothing }).stage("pages", async ({ items }) => {
      const { outputs, failures } = await items(pages, { key: String }, async (page) => {
        if (page === "3") throw new TerminalError("CORRUPT_IMAGE", "Page 3 is corrupt.");
        if (page === "5") throw new RetryableError("RATE_LIMIT", "Slow down.");
        return Number(page);
      });
      return { outputs: Object.fromEntries(outputs), failures: Object.fromEntries(failures) };
    });
    await using place = await openEngineOnDatabase([work]);
    const { db, engine } = place;
    await engine.startWorker();
    const { id } = await engine.enqueue(work.job({}));
    const job = await jobEnded(db, id);
    const errors = {
      3: { error: "Page 3 is corrupt.", error_type: "terminal", code: "CORRUPT_IMAGE" },
      5: { error: "Slow down.", error_type: "retryable", code: "RATE_LIMIT" },
    };
    expect(job).toMatchObject({ status: "completed", completedItems: 3, failedItems: 2, lastCompletedItem: "4" });
    expect(job.result).toEqual({ outputs: { 1: 1, 2: 2, 4: 4 }, failures: errors });
    const kept = (await readItems(db, id)).filter(({ done }) => !done).map(({ key, error }) => [key, error]);
    expect(Object.fromEntries(kept)).toEqual(errors);
  });

  it("fail the job if the pipeline says so; the done ones and the error stay, and the next attempt takes the rest", async () => {
    const seen: string[] = [];
    const work = pipeline("strict", { input: Nothing, retry: { attempts: 1 } }).stage(
      "pages",
      async ({ job, items }) => {
        await items(pages, { key: String, failJob: true }, async (page) => {
          seen.push(page);
          if (page === "3" && job.lease === 1) throw new TerminalError("CORRUPT_IMAGE", "Page 3 is corrupt.");
        });
      },
    );
    await using place = await openEngineOnDatabase([work]);
    const { db, engine } = place;
    await engine.startWorker();
    const { id } = await engine.enqueue(work.job({}));
    expect(await jobEnded(db, id)).toMatchObject({
      status: "failed",
      errorCode: "CORRUPT_IMAGE",
      errorMessage: "Page 3 is corrupt.",
      completedItems: 2,
      failedItems: 1,
      totalItems: 5,
    });
    expect((await readItems(db, id)).map(({ key, done, error }) => [key, done, error?.code])).toEqual([
      ["1", true, undefined],
      ["2", true, undefined],
      ["3", false, "CORRUPT_IMAGE"],
    ]);
    await engine.retryJob(id);
    expect(await jobEnded(db, id)).toMatchObject({ status: "completed", completedItems: 5, failedItems: 0 });
    expect(seen).toEqual(["1", "2", "3", "3", "4", "5"]);
  });

  it("run so many at a time and no more, and are given back in the list's order", async () => {
    let [running, most] = [0, 0];
    const barrier = Promise.withResolvers<void>();
    const work = pipeline("wide", { input: Nothing }).stage("pages", async ({ items }) => {
      const { outputs } = await items(pages, { key: String, concurrency: 3 }, async (page) => {
        most = Math.max(most, ++running);
        // Nobody goes on before three are in: fewer at a time would hang here.
        if (running === 3) barrier.resolve();
        await barrier.promise;
        if (page === "1") await new Promise((resolve) => setImmediate(resolve));
        running--;
        return page;
      });
      return [...outputs.keys()];
    });
    await using place = await openEngineOnDatabase([work]);
    await place.engine.startWorker();
    const { id } = await place.engine.enqueue(work.job({}));
    expect(await jobEnded(place.db, id)).toMatchObject({ status: "completed", result: pages, completedItems: 5 });
    expect(most).toBe(3);
  });

  it("that commit side by side are each counted once", async () => {
    const many = Array.from({ length: 60 }, (_, index) => String(index + 1));
    const work = pipeline("wide-commits", { input: Nothing }).stage("pages", async ({ job, items }) => {
      await items(many, { key: String, concurrency: 8 }, async (page, { commit }) =>
        commit((tx) => writeEffect(tx, job.id, page)),
      );
    });
    await using place = await openEngineOnDatabase([work]);
    await createEffectTables(place.db);
    await place.engine.startWorker();
    const { id } = await place.engine.enqueue(work.job({}));
    expect(await jobEnded(place.db, id)).toMatchObject({
      status: "completed",
      completedItems: 60,
      failedItems: 0,
      totalItems: 60,
    });
    expect(await countEffects(place.db, id)).toEqual(Object.fromEntries(many.map((page) => [page, 1])));
  });

  it("whose commit(tx) fails leave nothing behind and have failed", async () => {
    const work = pipeline("bad-commit", { input: Nothing }).stage("pages", async ({ job, items }) => {
      await items(["1", "2"], { key: String }, async (page, { commit }) =>
        commit(async (tx) => {
          await writeEffect(tx, job.id, page);
          if (page === "1") await tx.query(sql`select 1 / 0`);
        }),
      );
    });
    await using place = await openEngineOnDatabase([work]);
    await createEffectTables(place.db);
    await place.engine.startWorker();
    const { id } = await place.engine.enqueue(work.job({}));
    expect(await jobEnded(place.db, id)).toMatchObject({
      status: "completed",
      completedItems: 1,
      failedItems: 1,
      totalItems: 2,
    });
    expect(await countEffects(place.db, id)).toEqual({ 2: 1 });
  });

  it("whose output cannot be stored have failed, are counted once, and take no other with them", async () => {
    const work = pipeline("unstorable", { input: Nothing }).stage("pages", async ({ items }) => {
      const { outputs, failures } = await items(pages, { key: String, concurrency: 5 }, async (page) =>
        page === "2" ? "a\0b" : page,
      );
      return { outputs: [...outputs.keys()], failures: [...failures.keys()] };
    });
    await using place = await openEngineOnDatabase([work]);
    await place.engine.startWorker();
    const { id } = await place.engine.enqueue(work.job({}));
    const job = await jobEnded(place.db, id);
    expect(job.result).toEqual({ outputs: ["1", "3", "4", "5"], failures: ["2"] });
    expect(job).toMatchObject({ status: "completed", completedItems: 4, failedItems: 1, totalItems: 5 });
  });

  it("with the same key twice are refused", async () => {
    const work = pipeline("doubled", { input: Nothing }).stage("pages", async ({ items }) => {
      await items(["1", "2", "1"], { key: String }, async () => undefined);
    });
    await using place = await openEngineOnDatabase([work]);
    await place.engine.startWorker();
    const { id } = await place.engine.enqueue(work.job({}));
    expect(await jobEnded(place.db, id)).toMatchObject({ status: "failed", errorCode: "DUPLICATE_ITEM_KEY" });
  });

  it("may be none at all", async () => {
    const work = pipeline("empty", { input: Nothing }).stage("pages", async ({ items }) => {
      const { outputs } = await items([], { key: String }, async () => undefined);
      return outputs.size;
    });
    await using place = await openEngineOnDatabase([work]);
    await place.engine.startWorker();
    const { id } = await place.engine.enqueue(work.job({}));
    expect(await jobEnded(place.db, id)).toMatchObject({
      status: "completed",
      totalItems: 0,
      completedItems: 0,
      result: 0,
    });
  });

  it("that were done in an earlier attempt and are no longer in the list are left alone", async () => {
    const work = pipeline("shrunk", { input: Nothing, retry: fastRetry }).stage("pages", async ({ job, items }) => {
      const list = job.attempt === 1 ? ["1", "2", "3"] : ["2", "4"];
      const { outputs } = await items(list, { key: String }, async (page) => `${page} in ${job.attempt}`);
      if (job.attempt === 1) throw new RetryableError("AGAIN", "Again.");
      return Object.fromEntries(outputs);
    });
    await using place = await openEngineOnDatabase([work]);
    await place.engine.startWorker();
    const { id } = await place.engine.enqueue(work.job({}));
    const job = await jobEnded(place.db, id);
    expect(job).toMatchObject({ status: "completed", result: { 2: "2 in 1", 4: "4 in 2" } });
    expect(await readItems(place.db, id)).toHaveLength(4);
  });
});

describe("a stage", () => {
  it("that makes a commit and does not return it fails, and says so", async () => {
    const work = pipeline("forgetful", { input: Nothing }).stage("only", ({ job, commit }) => {
      commit((tx) => writeEffect(tx, job.id, "lost"));
    });
    await using place = await openEngineOnDatabase([work]);
    await createEffectTables(place.db);
    await place.engine.startWorker();
    const { id } = await place.engine.enqueue(work.job({}));
    expect(await jobEnded(place.db, id)).toMatchObject({ status: "failed", errorCode: "COMMIT_NOT_RETURNED" });
  });

  it("whose output cannot be stored fails its job, and no job beside it", async () => {
    const work = pipeline("stage-output", { input: z.object({ text: z.string() }) }).stage("only", ({ input }) =>
      input.text === "bad" ? "a\0b" : input.text,
    );
    await using place = await openEngineOnDatabase([work]);
    const { db, engine } = place;
    const ids = await engine.enqueueMany(["1", "2", "bad", "3", "4"].map((text) => work.job({ text })));
    await engine.startWorker({ slots: 8 });
    const jobs = await Promise.all(ids.map((id) => jobEnded(db, id)));
    expect(jobs.map(({ status }) => status)).toEqual(["completed", "completed", "failed", "completed", "completed"]);
    expect((await readJob(db, ids[2] as string)).errorMessage).not.toBe("");
  });
});
