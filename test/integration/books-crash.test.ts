/**
 * kill -9 at every page's commit of a book's jobs, before, inside and after it, and between their stages. The job is then
 * failed, says where to go on, and the one that is started after it ends as if nothing had happened: nothing is missing,
 * nothing is there twice, nothing is paid for twice.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { BookJob } from "../../src/contract/books.ts";
import { sql } from "../../src/db/sql.ts";
import { type BookClient, openBookClient, pageErrors } from "../support/book-client.ts";
import { answerAboutBooks } from "../support/book-model.ts";
import { bringTexts, paidTwice, readWholeGuidelines } from "../support/book-texts.ts";
import {
  expectInvariants,
  expectMirrored,
  forgetWorkers,
  readBookFiles,
  readMetadata,
} from "../support/book-traces.ts";
import { startBookWorker } from "../support/book-worker.ts";
import { type DocumentPlace, openDocumentPlace } from "../support/document-place.ts";
import type { DocumentWorker, Moment } from "../support/document-worker.ts";
import { samplePage, schoolbook } from "../support/sample-pages.ts";

const [before, inside, after] = ["commit.before", "commit.inside", "commit.after"] as const;

let place: DocumentPlace;
let client: BookClient;
/** The next to die; it gets ready while the one before it is still being mourned. */
let victim: DocumentWorker;

beforeAll(async () => {
  place = await openDocumentPlace({
    settings: { DOCMILL_MODEL: "teacher", DOCMILL_OCR: "model" },
    openAi: { answerChat: answerAboutBooks },
  });
  client = openBookClient(place.url);
  victim = place.prepareFaultWorker({ slots: 1 });
});

afterAll(() => place.close());

/** Lets a worker at the job that waits, until it ends itself; answers the job as the next reader sees it. */
async function dieAt(moment: Moment, bookId: string, jobId: string): Promise<BookJob> {
  const dying = victim;
  victim = place.prepareFaultWorker({ slots: 1 });
  await dying.start({ endAt: moment });
  expect(await dying.exited).toBe("SIGKILL");
  await forgetWorkers(place.db);
  return client.job(bookId, jobId);
}

/** The job says since when nothing was heard of it and where to go on. */
async function expectInterrupted(job: BookJob, done: readonly number[], open: number | null): Promise<void> {
  await expectInvariants(place.db, job, { lastDone: done.at(-1) ?? null, failedPages: [] });
  expect(job.completed_items).toBe(done.length);
  const resume = open === null ? "" : ` Resume from page ${open}.`;
  const since = "\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z";
  expect(job.error_message).toMatch(new RegExp(`^Job interrupted \\(no heartbeat since ${since}\\)\\.${resume}$`));
  expect(new Date(job.heartbeat_at as string).getTime()).toBeLessThan(new Date(job.completed_at as string).getTime());
}

const donePages = async (bookId: string, jobId: string): Promise<number[]> => {
  const rows = await place.db.query<{ key: string }>(sql`select key from job_items where job_id = ${jobId} and done`);
  const pages = new Set((await client.pages(bookId)).map(({ page_num }) => page_num));
  return rows
    .map(({ key }) => Number(key))
    .filter((n) => pages.has(n))
    .sort((a, b) => a - b);
};

describe("extraction", () => {
  /** A title of its own for every case: what was paid for another is not found in the ledger. */
  const bring = (title: string) => bringTexts(client, schoolbook.slice(0, 3), title);
  let undisturbed: object;

  beforeAll(async () => {
    const bookId = await bring("undisturbed");
    await using _worker = await startBookWorker(place);
    const { job_id } = await client.generate(bookId, { auto_sync_to_db: true });
    expect(await client.ended(bookId, job_id as string)).toMatchObject({ status: "completed", completed_items: 3 });
    undisturbed = await readWholeGuidelines(place, bookId);
  });

  const moments: [name: string, moment: Moment, done: number[]][] = [
    ...[1, 2, 3].flatMap((n): [string, Moment, number[]][] => {
      const earlier = [1, 2, 3].slice(0, n - 1);
      const page = { stage: "extract", item: String(n) };
      return [
        [`page ${n} extracted and not committed`, { point: before, ...page }, earlier],
        [`page ${n} inside its commit`, { point: inside, ...page }, earlier],
        [`page ${n} committed`, { point: after, ...page }, [...earlier, n]],
      ];
    }),
    ["all pages done", { point: before, stage: "extract" }, [1, 2, 3]],
    ["between extract and files", { point: after, stage: "extract" }, [1, 2, 3]],
    ["between files and sync", { point: after, stage: "files" }, [1, 2, 3]],
    ["sync not committed", { point: before, stage: "sync" }, [1, 2, 3]],
    ["sync inside its commit", { point: inside, transition: "complete" }, [1, 2, 3]],
  ];

  it.each(moments)("killed with %s", async (name, moment, done) => {
    const bookId = await bring(name);
    const { job_id } = await client.generate(bookId, { auto_sync_to_db: true });
    const job = await dieAt(moment, bookId, job_id as string);
    await expectInterrupted(job, done, [1, 2, 3].find((n) => !done.includes(n)) ?? null);
    const kept = await readBookFiles(place, bookId, "guidelines/pages/");
    const started = await client.generate(bookId, { resume: true, auto_sync_to_db: true });
    expect(started).toMatchObject({ status: "started", total_pages: 3 - done.length });
    await using _worker = await startBookWorker(place);
    const resumed = await client.ended(bookId, started.job_id as string);
    expect(resumed).toMatchObject({ status: "completed", completed_items: 3 - done.length, failed_items: 0 });
    expect(await readWholeGuidelines(place, bookId)).toEqual(undisturbed);
    const now = await readBookFiles(place, bookId, "guidelines/pages/");
    for (const n of done) expect(now[`${n}.json`]).toBe(kept[`${n}.json`]);
    expect(paidTwice(place)).toEqual([]);
    await expectMirrored(place, client, bookId);
    expect(await client.generate(bookId, { resume: true })).toMatchObject({ status: "already_complete", job_id: null });
  });

  it("a worker that was given up and comes back changes nothing", async () => {
    const bookId = await bring("zombie");
    const { job_id } = await client.generate(bookId, { auto_sync_to_db: true });
    const zombie = victim;
    victim = place.prepareFaultWorker({ slots: 1 });
    await zombie.start({ holdAt: { point: before, stage: "extract", item: "2" } });
    await zombie.reached;
    await forgetWorkers(place.db);
    await expectInterrupted(await client.job(bookId, job_id as string), [1], 2);
    const started = await client.generate(bookId, { resume: true, auto_sync_to_db: true });
    const worker = await startBookWorker(place);
    await client.ended(bookId, started.job_id as string);
    await worker.stop();
    expect(await readWholeGuidelines(place, bookId)).toEqual(undisturbed);
    zombie.goOn();
    await zombie.rest();
    expect(await readWholeGuidelines(place, bookId)).toEqual(undisturbed);
    expect(await client.job(bookId, job_id as string)).toMatchObject({ status: "failed", completed_items: 1 });
    await zombie.kill();
  });
});

describe("OCR", () => {
  const bring = async (name: string, count = 3) => {
    const bookId = await client.create();
    const files = Array.from({ length: count }, (_, index) =>
      samplePage(`${index + 1}.png`, name, `Leaf ${index + 1}`),
    );
    const { job_id: jobId } = await client.bring(bookId, await Promise.all(files));
    return { bookId, jobId };
  };

  it.each<[string, Moment]>([
    ["page 1 read and not committed", { point: before, stage: "ocr", item: "1" }],
    ["page 2 inside its commit", { point: inside, stage: "ocr", item: "2" }],
    ["page 2 committed", { point: after, stage: "ocr", item: "2" }],
    ["page 3 read and not committed", { point: before, stage: "ocr", item: "3" }],
    ["all pages read", { point: before, transition: "complete" }],
  ])("killed with %s", async (name, moment) => {
    const { bookId, jobId } = await bring(name);
    const job = await dieAt(moment, bookId, jobId);
    const done = await donePages(bookId, jobId);
    await expectInterrupted(job, done, [1, 2, 3].find((n) => !done.includes(n)) ?? null);
    // What is done is done, and what was in the air waits: nothing is being processed.
    const states = (await client.pages(bookId)).map(({ ocr_status }) => ocr_status);
    expect(states).toEqual([1, 2, 3].map((n) => (done.includes(n) ? "completed" : "pending")));
    const { body: started } = await client.post(`/admin/books/${bookId}/pages/retry-failed`);
    if (done.length === 3) expect(started.status).toBe("already_complete");
    else {
      expect(started.total_pages).toBe(3 - done.length);
      await using _worker = await startBookWorker(place);
      expect(await client.ended(bookId, started.job_id)).toMatchObject({ status: "completed", failed_items: 0 });
    }
    expect((await client.pages(bookId)).every(({ ocr_status }) => ocr_status === "completed")).toBe(true);
    await expectMirrored(place, client, bookId);
    expect(paidTwice(place)).toEqual([]);
  });

  it("6.8 after a crash the mirror is made right from the database; a page whose text is gone has failed", async () => {
    const { bookId, jobId } = await bring("reconciled", 10);
    const job = await dieAt({ point: before, stage: "ocr", item: "8" }, bookId, jobId);
    const done = await donePages(bookId, jobId);
    await expectInterrupted(job, done, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].find((n) => !done.includes(n)) ?? null);
    expect(done.length).toBeGreaterThanOrEqual(6);
    const stale = (await readMetadata(place, bookId)).pages.filter(({ ocr_status }) => ocr_status === "completed");
    expect(stale.length).toBeLessThan(done.length);
    // Someone has removed a text behind our back.
    const { blobs } = place.runtime.books.services;
    await blobs.delete([`books/${bookId}/2.txt`]);
    // Any job makes it right, also one that reads no scans.
    const { job_id } = await client.generate(bookId, { start_page: 10 });
    await using _worker = await startBookWorker(place);
    const extraction = await client.ended(bookId, job_id as string);
    expect(pageErrors(extraction)).toMatchObject({ 10: { error: "Page 10 has no OCR text" } });
    const pages = await client.pages(bookId);
    for (const { page_num: n, ocr_status, ocr_error, text_key } of pages) {
      const lost = n === 2;
      const state = lost ? "failed" : done.includes(n) ? "completed" : "pending";
      expect({ n, ocr_status }).toEqual({ n, ocr_status: state });
      expect(text_key === null).toBe(state !== "completed");
      if (lost) expect(ocr_error).toMatch(/^OCR text missing/);
    }
    await expectMirrored(place, client, bookId);
    // And the job after that reads what has none.
    const { body: started } = await client.post(`/admin/books/${bookId}/pages/retry-failed`);
    expect(started.total_pages).toBe(10 - done.length + 1);
    expect(await client.ended(bookId, started.job_id)).toMatchObject({ status: "completed", failed_items: 0 });
    await expectMirrored(place, client, bookId);
    expect(paidTwice(place)).toEqual([]);
  });
});
