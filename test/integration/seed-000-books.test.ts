/**
 * The test matrix of seed 000 (§19a), categories 1 and 6, as the people who use books see it: over HTTP, with workers that
 * stand still, die and come back. The engine's own side of them is in seed-000-jobs.test.ts.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { BookJob } from "../../src/contract/books.ts";
import { sql } from "../../src/db/sql.ts";
import type { BlobStore } from "../../src/storage/blob-store.ts";
import { type BookClient, openBookClient, pageErrors } from "../support/book-client.ts";
import { bringTexts } from "../support/book-texts.ts";
import { expectCoherent, expectInvariants, forgetWorkers } from "../support/book-traces.ts";
import { type BookWorker, startBookWorker } from "../support/book-worker.ts";
import { type DocumentPlace, openDocumentPlace } from "../support/document-place.ts";
import { makeDue } from "../support/make-due.ts";
import { samplePages, schoolbook } from "../support/sample-pages.ts";

let place: DocumentPlace;
let client: BookClient;

beforeAll(async () => {
  place = await openDocumentPlace({ settings: { DOCMILL_EMBEDDINGS: "local" } });
  client = openBookClient(place.url);
});

afterAll(() => place.close());

const bring = (pages = 3) => bringTexts(client, schoolbook.slice(0, pages));

/** A worker that stands still before it reads the text of a page, until it is let go. */
async function startHeldWorker(page: number): Promise<BookWorker & { reached: Promise<void>; goOn(): void }> {
  const [reached, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const blobs: BlobStore = {
    ...place.runtime.books.services.blobs,
    async get(key, options) {
      if (key.endsWith(`/${page}.txt`)) {
        reached.resolve();
        await released.promise;
      }
      return place.runtime.books.services.blobs.get(key, options);
    },
  };
  const worker = await startBookWorker(place, { blobs });
  return { ...worker, reached: reached.promise, goOn: released.resolve };
}

/** A job that runs and has done the pages before `page`. */
async function holdAt(page: number, bookId: string) {
  const worker = await startHeldWorker(page);
  const { job_id } = await client.generate(bookId);
  await worker.reached;
  return { worker, jobId: job_id as string };
}

/** As `holdAt`, and then its worker is not heard of any more. */
async function loseAt(page: number, bookId: string) {
  const held = await holdAt(page, bookId);
  await forgetWorkers(place.db);
  return held;
}

const rowOf = async (jobId: string) =>
  (
    await place.db.query(sql`select status, completed_items, failed_items, current_item, error_message, completed_at, lease
    from jobs where id = ${jobId}`)
  )[0];

async function age(jobId: string, minutes: number): Promise<void> {
  await place.db.query(sql`update jobs set created_at = now() - ${minutes} * interval '1 minute' where id = ${jobId}`);
  await makeDue(place.db, jobId, minutes);
}

describe("category 1: states and lock", () => {
  it("1.1 pending, running, completed; every state says what it must", async () => {
    const bookId = await bring();
    const { job_id } = await client.generate(bookId);
    const pending = await client.job(bookId, job_id as string);
    expectCoherent(pending);
    expect(pending).toMatchObject({
      book_id: bookId,
      job_type: "extraction",
      status: "pending",
      total_items: 3,
      completed_items: 0,
      failed_items: 0,
      current_item: null,
      last_completed_item: null,
      heartbeat_at: null,
      completed_at: null,
      error_message: null,
    });
    const worker = await startHeldWorker(3);
    await worker.reached;
    const running = await client.jobWhen(bookId, job_id as string, ({ completed_items }) => completed_items === 2);
    expectCoherent(running);
    expect(running).toMatchObject({ status: "running", total_items: 3, current_item: 3, last_completed_item: 2 });
    expect(running.heartbeat_at).not.toBeNull();
    worker.goOn();
    const completed = await client.ended(bookId, job_id as string);
    expectCoherent(completed);
    expect(completed).toMatchObject({
      status: "completed",
      completed_items: 3,
      last_completed_item: 3,
      error_message: null,
    });
    expect(completed.heartbeat_at).not.toBeNull();
    await worker.stop();
  });

  it("1.2 a job that fails says why", async () => {
    const bookId = await bring(1);
    const { blobs } = place.runtime.books.services;
    const broken: BlobStore = { ...blobs, put: () => Promise.reject(new Error("the storage is on fire")) };
    await using _worker = await startBookWorker(place, { blobs: broken });
    const { job_id } = await client.generate(bookId);
    const job = await client.ended(bookId, job_id as string);
    await expectInvariants(place.db, job, { lastDone: null, failedPages: [] });
  });

  it("1.3 a second job for the book is refused, naming the first; 1.4 after its end there is a new one", async () => {
    const bookId = await bring(1);
    const { job_id } = await client.generate(bookId);
    for (const path of ["generate-guidelines", "finalize", "pages/retry-failed"]) {
      const { status, body } = await client.post(`/admin/books/${bookId}/${path}`, {});
      expect({ status, body }).toEqual({ status: 409, body: { detail: expect.stringContaining(job_id as string) } });
    }
    await client.post(`/admin/books/${bookId}/jobs/${job_id}/cancel`);
    await using _worker = await startBookWorker(place);
    for (let round = 0; round < 2; round++) {
      const next = await client.generate(bookId);
      expect(await client.ended(bookId, next.job_id as string)).toMatchObject({ status: "completed" });
    }
    const { body } = await client.ask(`/admin/books/${bookId}/jobs`);
    expect(body.jobs.map(({ status }: BookJob) => status)).toEqual([
      "completed",
      "completed",
      "cancelled",
      "cancelled",
    ]);
    for (const job of body.jobs) expectCoherent(job);
  });

  it("1.5 what has ended cannot be cancelled, and stays as it is", async () => {
    const bookId = await bring(1);
    const { job_id } = await client.generate(bookId);
    await using _worker = await startBookWorker(place);
    const job = await client.ended(bookId, job_id as string);
    const { status, body } = await client.post(`/admin/books/${bookId}/jobs/${job_id}/cancel`);
    expect({ status, keys: Object.keys(body) }).toEqual({ status: 409, keys: ["detail"] });
    expect(await client.job(bookId, job_id as string)).toEqual(job);
  });

  it.each(["jobs/latest", "jobs", "job", ""])(
    "1.6 a job nobody has heard of for two minutes is failed on the next read of %j, and says where to go on",
    async (path) => {
      const bookId = await bring();
      const { worker, jobId } = await loseAt(2, bookId);
      const { body } = await client.ask(
        `/admin/books/${bookId}/${path === "job" ? `jobs/${jobId}` : path}`.replace(/\/$/, ""),
      );
      const job: BookJob = path === "" ? body.latest_jobs.extraction : path === "jobs" ? body.jobs[0] : body;
      await expectInvariants(place.db, job, { lastDone: 1, failedPages: [] });
      expect(job.error_message).toMatch(/^Job interrupted \(no heartbeat since 2[^)]+Z\)\. Resume from page 2\.$/);
      // I5 and 1.9, 6.10: what the worker still writes lands nowhere.
      const before = await rowOf(jobId);
      worker.goOn();
      await worker.stop();
      expect(await rowOf(jobId)).toEqual(before);
      expect((await client.guidelines(bookId)).topics.flatMap(({ subtopics }) => subtopics)).toMatchObject([
        { pages: [1] },
      ]);
    },
  );

  it("1.7 a job that nobody has started for two minutes, and nobody is there to start, is failed; others are not", async () => {
    const bookId = await bring();
    const { job_id } = await client.generate(bookId);
    await age(job_id as string, 1);
    expect(await client.latest(bookId)).toMatchObject({ status: "pending" });
    await age(job_id as string, 3);
    const job = (await client.latest(bookId)) as BookJob;
    await expectInvariants(place.db, job, { lastDone: null, failedPages: [] });
    expect(job.error_message).toMatch(/^Job interrupted \(no heartbeat since .*Resume from page 1\.$/);
    expect(job.heartbeat_at).toBeNull();
    const next = await client.generate(bookId);
    expect(next.status).toBe("started");
    await client.post(`/admin/books/${bookId}/jobs/${next.job_id}/cancel`);
    // With a worker that is there and busy, a job's time will come.
    const { worker } = await holdAt(1, bookId);
    const other = await client.create();
    const waiting = await client.bring(other, await samplePages(1));
    await age(waiting.job_id, 10);
    expect(await client.latest(other)).toMatchObject({ status: "pending", total_items: 1 });
    worker.goOn();
    expect(await client.ended(other, waiting.job_id)).toMatchObject({ status: "completed" });
    await worker.stop();
  });

  it("1.8, 6.5 a new job may start at once where the old one is lost; of many who try, one", async () => {
    const bookId = await bring();
    const { worker, jobId } = await loseAt(2, bookId);
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => client.post(`/admin/books/${bookId}/generate-guidelines`, { resume: true })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
    const started = answers.find(({ status }) => status === 200)?.body;
    expect(started).toMatchObject({ status: "started", start_page: 2, end_page: 3, total_pages: 2 });
    await expectInvariants(place.db, await client.job(bookId, jobId), { lastDone: 1, failedPages: [] });
    worker.goOn();
    await worker.stop();
    await using _next = await startBookWorker(place);
    expect(await client.ended(bookId, started.job_id)).toMatchObject({ status: "completed", completed_items: 2 });
  });
});

describe("category 6: races and error paths", () => {
  it("6.1 a start that races with the judgement that nobody starts it: one of them wins, wholly", async () => {
    const bookId = await bring(1);
    for (let round = 0; round < 4; round++) {
      const { job_id } = await client.generate(bookId);
      await age(job_id as string, 3);
      const reads = () => Promise.all(Array.from({ length: 5 }, () => client.latest(bookId)));
      const [worker] = await Promise.all([startBookWorker(place), round % 2 === 0 ? reads() : undefined]);
      await reads();
      const job = await client.ended(bookId, job_id as string);
      expectCoherent(job);
      expect(["completed", "failed"]).toContain(job.status);
      if (job.status === "failed") expect(job.last_completed_item).toBeNull();
      await worker.stop();
    }
  });

  it("6.2 a double click: of all that start a job on a book at once, exactly one does", async () => {
    const bookId = await bring(2);
    const at = `/admin/books/${bookId}`;
    const files = await samplePages(1);
    for (let round = 0; round < 3; round++) {
      const answers = await Promise.all([
        ...Array.from({ length: 4 }, () => client.post(`${at}/generate-guidelines`, {})),
        client.bulk(bookId, files),
        client.bulk(bookId, files),
      ]);
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(answers.filter(({ status }) => status === 409)).toHaveLength(5);
      const active = await place.db.query(sql`
        select from jobs where lock_key = ${`book:${bookId}`} and status in ('pending', 'running')`);
      expect(active).toHaveLength(1);
      await client.post(`${at}/jobs/${(await client.latest(bookId))?.job_id}/cancel`);
    }
  });

  it("6.4 generating again while a job runs is refused, and the job does not notice", async () => {
    const bookId = await bring();
    const { worker, jobId } = await holdAt(2, bookId);
    const before = await client.jobWhen(bookId, jobId, ({ completed_items }) => completed_items === 1);
    expect((await client.post(`/admin/books/${bookId}/generate-guidelines`, {})).status).toBe(409);
    expect(await client.job(bookId, jobId)).toMatchObject({ ...before, heartbeat_at: expect.any(String) });
    worker.goOn();
    expect(await client.ended(bookId, jobId)).toMatchObject({ status: "completed", completed_items: 3 });
    await worker.stop();
  });

  it("6.9 pages that failed before the crash are still told", async () => {
    const bookId = await bring();
    await place.db.query(sql`
      update book_pages set ocr_status = 'pending', text_key = null where book_id = ${bookId} and page_num = 1`);
    const { worker, jobId } = await loseAt(3, bookId);
    const job = await client.job(bookId, jobId);
    await expectInvariants(place.db, job, { lastDone: 2, failedPages: [1] });
    expect(job.error_message).toMatch(/Resume from page 1\.$/);
    expect(pageErrors(job)["1"]).toEqual({ error: "Page 1 has no OCR text", error_type: "terminal" });
    worker.goOn();
    await worker.stop();
    expect(await client.generate(bookId, { resume: true })).toMatchObject({
      start_page: 1,
      end_page: 3,
      total_pages: 2,
    });
  });
});

describe("the whole system", () => {
  it("runs one book's job at a time; the next waits and comes by itself", async () => {
    const [one, other] = [await bring(2), await bring(2)];
    const { worker, jobId } = await holdAt(2, one);
    // A second worker has a slot to spare, and may not use it.
    const second = await startBookWorker(place);
    const { job_id } = await client.generate(other);
    await client.jobWhen(one, jobId, ({ completed_items }) => completed_items === 1);
    for (let look = 0; look < 5; look++) {
      expect(await client.job(other, job_id as string)).toMatchObject({ status: "pending", completed_items: 0 });
    }
    worker.goOn();
    await client.ended(one, jobId);
    expect(await client.ended(other, job_id as string)).toMatchObject({ status: "completed", completed_items: 2 });
    await worker.stop();
    await second.stop();
  });

  it("7.3, 7.4 a job whose progress is empty or makes no sense is read all the same", async () => {
    const bookId = await bring();
    const { worker, jobId } = await holdAt(3, bookId);
    await client.jobWhen(bookId, jobId, ({ completed_items }) => completed_items === 2);
    await place.db.query(sql`
      update jobs set total_items = null, current_item = null, last_completed_item = null, detail = null, message = null where id = ${jobId}`);
    for (const broken of [sql`null`, sql`'"no object"'::jsonb`, sql`'[1, 2]'::jsonb`]) {
      await place.db.query(sql`update jobs set current_item = 'not a number', detail = ${broken} where id = ${jobId}`);
      const job = await client.job(bookId, jobId);
      expect(job).toMatchObject({ status: "running", total_items: 3, current_item: null, last_completed_item: 2 });
      expect(JSON.parse(job.progress_detail as string)).toMatchObject({ page_errors: {} });
      expect((await client.ask(`/admin/books/${bookId}`)).status).toBe(200);
      expect(await client.latest(bookId)).toMatchObject({ job_id: jobId });
    }
    worker.goOn();
    await client.ended(bookId, jobId);
    await worker.stop();
    // A job from before there was anything to tell.
    await place.db.query(sql`delete from job_items where job_id = ${jobId}`);
    await place.db.query(sql`
      update jobs set total_items = null, completed_items = 0, current_item = null, last_completed_item = null where id = ${jobId}`);
    const old = await client.job(bookId, jobId);
    expectCoherent(old);
    expect(old).toMatchObject({ status: "completed", completed_items: 0, last_completed_item: null });
  });
});
