/**
 * The test matrix of seed 000 (§19a), category 2, with rules and with a model: pages are extracted in order, one that fails
 * leaves a hole, and resuming fills the holes and touches nothing else.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { BookJob, Subtopic } from "../../src/contract/books.ts";
import { sql } from "../../src/db/sql.ts";
import { type BookClient, openBookClient, pageErrors, readStats } from "../support/book-client.ts";
import { answerAboutBooks } from "../support/book-model.ts";
import { bringTexts, paidTwice, readWholeGuidelines } from "../support/book-texts.ts";
import { expectCoherent, expectInvariants, expectMirrored, readBookFiles } from "../support/book-traces.ts";
import { startBookWorker } from "../support/book-worker.ts";
import { type DocumentPlace, openDocumentPlace } from "../support/document-place.ts";
import { schoolbook } from "../support/sample-pages.ts";
import { until } from "../support/until.ts";

/** Pages whose text says so are refused by the service for good. */
const poison = "poisoned";
/** And these for as long as `ill` is true. */
const weak = "weakened";
let ill = false;

const place: Record<"rules" | "model", DocumentPlace> = {} as never;

beforeAll(async () => {
  const openPlace = (model: Record<string, string>) =>
    openDocumentPlace({
      settings: { DOCMILL_THREADS: "1", ...model },
      openAi: {
        answerChat: answerAboutBooks,
        plan: () => {
          const body = current?.openAi.requests.at(-1)?.body.toString() ?? "";
          if (body.includes(poison)) return { status: 400, body: { error: { message: "The page was refused." } } };
          return body.includes(weak) && ill ? { status: 429 } : undefined;
        },
      },
    });
  place.rules = await openPlace({});
  place.model = await openPlace({ DOCMILL_MODEL: "teacher" });
});

let current: DocumentPlace | undefined;

afterAll(async () => {
  await place.rules.close();
  await place.model.close();
});

async function extract(client: BookClient, bookId: string, request: object = {}): Promise<BookJob> {
  const { job_id } = await client.generate(bookId, request);
  return client.ended(bookId, job_id as string);
}

const subtopicsOf = async (client: BookClient, bookId: string): Promise<Subtopic[]> =>
  (await client.guidelines(bookId)).topics.flatMap(({ subtopics }) => subtopics);

/** Rows and files say the same of every page and subtopic. */
async function expectArtifacts(where: DocumentPlace, client: BookClient, bookId: string, donePages: number[]) {
  const files = await readBookFiles(where, bookId, "guidelines/");
  const subtopics = await subtopicsOf(client, bookId);
  const pageFiles = Object.keys(files).filter((name) => name.startsWith("pages/"));
  expect(pageFiles.map((name) => JSON.parse(files[name] as string).page_num).sort((a, b) => a - b)).toEqual(donePages);
  const shards = Object.keys(files).filter((name) => name.startsWith("subtopics/"));
  expect(shards.sort()).toEqual(subtopics.map(({ id }) => `subtopics/${id}.json`).sort());
  for (const subtopic of subtopics) {
    expect(JSON.parse(files[`subtopics/${subtopic.id}.json`] as string)).toEqual(subtopic);
    expect(subtopic.source_page_start).toBe(Math.min(...subtopic.pages));
    expect(subtopic.source_page_end).toBe(Math.max(...subtopic.pages));
    const words = subtopic.summary.split(/\s+/).length;
    expect(words).toBeGreaterThanOrEqual(5);
    expect(words).toBeLessThanOrEqual(40);
  }
  const index = JSON.parse(files["index.json"] as string);
  expect(index.topics.flatMap((topic: { subtopics: { id: string }[] }) => topic.subtopics.map(({ id }) => id))).toEqual(
    subtopics.map(({ id }) => id),
  );
  const covered = subtopics.flatMap(({ pages }) => pages).sort((a, b) => a - b);
  expect(new Set(covered).size).toBe(covered.length);
  for (const page of covered) expect(donePages).toContain(page);
}

describe.each(["rules", "model"] as const)("category 2: extraction by %s", (by) => {
  let client: BookClient;
  let edition = 0;

  beforeAll(() => {
    current = place[by];
    client = openBookClient(place[by].url);
    ill = false;
  });

  /** A book of its own for every case: what was paid for another must not be found in the ledger. */
  const bring = (change: (texts: string[]) => string[] = (texts) => texts) => {
    edition++;
    return bringTexts(client, change(schoolbook.map((text) => `${text}\nEdition ${by} ${edition}.\n`)));
  };
  const work = () => startBookWorker(place[by]);

  it("2.1 five pages, all extracted, with their artifacts", async () => {
    const bookId = await bring();
    await using worker = await work();
    const started = await client.generate(bookId);
    expect(started).toEqual({
      job_id: expect.any(String),
      status: "started",
      start_page: 1,
      end_page: 5,
      total_pages: 5,
      message: expect.stringMatching(/\S/),
    });
    const job = await client.ended(bookId, started.job_id as string);
    expectCoherent(job);
    expect(job).toMatchObject({ status: "completed", total_items: 5, completed_items: 5, failed_items: 0 });
    expect(job.last_completed_item).toBe(5);
    const subtopics = await subtopicsOf(client, bookId);
    expect(subtopics.map(({ pages }) => pages)).toEqual([[1, 2], [3, 4], [5]]);
    expect(subtopics.map(({ version }) => version)).toEqual([2, 2, 1]);
    expect(new Set(subtopics.map(({ provenance }) => provenance))).toEqual(new Set([by]));
    expect(new Set(subtopics.map(({ status }) => status))).toEqual(new Set(["open"]));
    expect((await client.guidelines(bookId)).topics).toHaveLength(2);
    expect(readStats(job)).toEqual({ subtopics_created: 3, subtopics_merged: 2 });
    await expectArtifacts(place[by], client, bookId, [1, 2, 3, 4, 5]);
    await expectMirrored(place[by], client, bookId);
    expect(paidTwice(place[by])).toEqual([]);
    expect(worker.waits).toEqual([]);
    // Nothing is left: resuming starts no job, and everything stays as it is.
    const whole = await readWholeGuidelines(place[by], bookId);
    expect(await client.generate(bookId, { resume: true })).toMatchObject({
      job_id: null,
      status: "already_complete",
      total_pages: 0,
    });
    expect(await readWholeGuidelines(place[by], bookId)).toEqual(whole);
  });

  it("2.2 page 3 fails: the job completes, says so, and the others have their artifacts", async () => {
    const bookId = await bring((texts) => texts.with(2, `${texts[2]} ${poison}`));
    await using worker = await work();
    const job = await extract(client, bookId);
    expectCoherent(job);
    expect(job).toMatchObject({ status: "completed", completed_items: 4, failed_items: 1, last_completed_item: 5 });
    expect(pageErrors(job)).toEqual({ 3: { error: expect.stringMatching(/\S{5}/), error_type: "terminal" } });
    expect(worker.waits).toEqual([]);
    await expectArtifacts(place[by], client, bookId, [1, 2, 4, 5]);
  });

  it("a service that is away for a page is waited for: 2, 4, 8, 16 s, then the page has failed for now", async () => {
    const bookId = await bring((texts) => texts.with(1, `${texts[1]} ${weak}`));
    ill = true;
    await using worker = await work();
    const job = await extract(client, bookId);
    ill = false;
    expect(job).toMatchObject({ status: "completed", completed_items: 4, failed_items: 1 });
    expect(pageErrors(job)["2"]).toMatchObject({ error_type: "retryable" });
    expect(worker.waits).toEqual([2_000, 4_000, 8_000, 16_000]);
    // 2.4: the hole is filled, and no finished page is asked about or touched.
    const before = await readBookFiles(place[by], bookId, "guidelines/pages/");
    const asked = place[by].openAi.requests.length;
    const started = await client.generate(bookId, { resume: true });
    expect(started).toMatchObject({ start_page: 2, end_page: 2, total_pages: 1 });
    const resumed = await client.ended(bookId, started.job_id as string);
    expect(resumed).toMatchObject({ status: "completed", total_items: 1, completed_items: 1, last_completed_item: 2 });
    const bodies = place[by].openAi.requests.slice(asked).map(({ body }) => body.toString());
    expect(bodies.every((body) => body.includes(weak))).toBe(true);
    const after = await readBookFiles(place[by], bookId, "guidelines/pages/");
    expect(Object.keys(after)).toHaveLength(5);
    for (const [name, text] of Object.entries(before)) expect(after[name]).toBe(text);
    await expectArtifacts(place[by], client, bookId, [1, 2, 3, 4, 5]);
  });

  it("2.3 a catastrophe outside of the pages fails the job, with the last good page", async () => {
    const bookId = await bring();
    const { blobs } = place[by].runtime.books.services;
    let mirrors = 0;
    // The first mirror is the job's beginning; the disk is full when the last is written.
    const full = {
      ...blobs,
      put(...[key, source, options]: Parameters<typeof blobs.put>) {
        if (key.endsWith("metadata.json") && ++mirrors > 1) return Promise.reject(new Error("no space left on device"));
        return blobs.put(key, source, options);
      },
    };
    await using _worker = await startBookWorker(place[by], { blobs: full });
    const { job_id } = await client.generate(bookId, { end_page: 3 });
    const job = await client.ended(bookId, job_id as string);
    await expectInvariants(place[by].db, job, { lastDone: 3, failedPages: [] });
    expect(job.completed_items).toBe(3);
  });

  it("2.4 resumes at page 4 after pages 1 to 3, which stay byte for byte as they are", async () => {
    const bookId = await bring();
    await using _worker = await work();
    await extract(client, bookId, { end_page: 3 });
    const before = await readBookFiles(place[by], bookId, "guidelines/");
    const rows = await place[by].db.query(sql`
      select g.* from page_guidelines g join book_pages p on p.id = g.page_id where g.book_id = ${bookId} order by p.page_num`);
    const started = await client.generate(bookId, { resume: true });
    expect(started).toMatchObject({ start_page: 4, end_page: 5, total_pages: 2 });
    const job = await client.ended(bookId, started.job_id as string);
    expect(job).toMatchObject({ status: "completed", total_items: 2, completed_items: 2, last_completed_item: 5 });
    const after = await readBookFiles(place[by], bookId, "guidelines/");
    const [first] = await subtopicsOf(client, bookId);
    const untouched = ["pages/1.json", "pages/2.json", "pages/3.json", `subtopics/${first?.id}.json`];
    for (const name of untouched) expect(after[name]).toBe(before[name]);
    const still = await place[by].db.query(sql`
      select g.* from page_guidelines g join book_pages p on p.id = g.page_id
      where g.book_id = ${bookId} and p.page_num <= 3 order by p.page_num`);
    expect(still).toEqual(rows);
    await expectArtifacts(place[by], client, bookId, [1, 2, 3, 4, 5]);
  });

  it("2.5 a page that is extracted again gives no second shard, and those around it keep what they say", async () => {
    const bookId = await bring();
    await using _worker = await work();
    await extract(client, bookId);
    const before = await readWholeGuidelines(place[by], bookId);
    await extract(client, bookId);
    expect(await readWholeGuidelines(place[by], bookId)).toEqual(before);
    // Only the first of the two pages of a subtopic: what the second said is still in it.
    const [first] = await subtopicsOf(client, bookId);
    const job = await extract(client, bookId, { start_page: 1, end_page: 1 });
    expect(job).toMatchObject({ status: "completed", total_items: 1, completed_items: 1 });
    await expectArtifacts(place[by], client, bookId, [1, 2, 3, 4, 5]);
    const now = await subtopicsOf(client, bookId);
    const ofPageTwo = now.find(({ pages }) => pages.includes(2));
    expect(ofPageTwo?.guidelines).toMatch(/four equal parts/);
    expect(ofPageTwo?.version).toBeGreaterThanOrEqual(first?.version ?? 0);
    expect(now.find(({ pages }) => pages.includes(1))?.guidelines).toMatch(/two equal parts/);
  });

  it("an approved subtopic keeps its pages and texts when they are to be extracted anew", async () => {
    const bookId = await bring();
    await using _worker = await work();
    await extract(client, bookId);
    const [first] = await subtopicsOf(client, bookId);
    const approved = await client.post(`/admin/books/${bookId}/guidelines/${first?.id}/approve`);
    expect(approved.body.status).toBe("approved");
    const again = await client.generate(bookId, { start_page: 1, end_page: 1 });
    expect(again).toMatchObject({ job_id: null, status: "already_complete" });
    const { body } = await client.ask(`/admin/books/${bookId}/guidelines/${first?.id}`);
    expect(body).toMatchObject({
      status: "approved",
      guidelines: first?.guidelines,
      version: first?.version,
      pages: [1, 2],
    });
    await expectArtifacts(place[by], client, bookId, [1, 2, 3, 4, 5]);
  });

  it("what was extracted of a page that fails the second time is gone, in rows and files", async () => {
    const bookId = await bring();
    await using _worker = await work();
    await extract(client, bookId);
    await client.put(`/admin/books/${bookId}/pages/5/text`, { text: `${schoolbook[4]} ${poison}` });
    const job = await extract(client, bookId, { start_page: 5 });
    expect(job).toMatchObject({ status: "completed", completed_items: 0, failed_items: 1, last_completed_item: null });
    expectCoherent(job);
    expect((await client.guidelines(bookId)).total_subtopics).toBe(2);
    await expectArtifacts(place[by], client, bookId, [1, 2, 3, 4]);
  });

  it("a subtopic is stable once five pages have come without one for it", async () => {
    const more = (texts: string[]) => [
      ...texts.slice(0, 4),
      ...[5, 6, 7, 8].map(
        (n) => `Fractions are added page after page, ${n} times.\nEdition ${by} ${edition}, leaf ${n}.\n`,
      ),
    ];
    const bookId = await bring(more);
    await using _worker = await work();
    await extract(client, bookId, { end_page: 6 });
    const states = async () => (await subtopicsOf(client, bookId)).map(({ status }) => status);
    expect(await states()).toEqual(["open", "open"]);
    await extract(client, bookId, { resume: true });
    expect(await states()).toEqual(["stable", "open"]);
    await expectArtifacts(place[by], client, bookId, [1, 2, 3, 4, 5, 6, 7, 8]);
  });

  it("a page without text fails by itself, and a page that teaches nothing has no subtopic", async () => {
    const bookId = await bring((texts) => [...texts.slice(0, 1), "This page is left blank\n", ...texts.slice(1, 3)]);
    await place[by].db.query(sql`
      update book_pages set ocr_status = 'pending', text_key = null where book_id = ${bookId} and page_num = 3`);
    await using _worker = await work();
    const job = await extract(client, bookId);
    expect(job).toMatchObject({ status: "completed", completed_items: 3, failed_items: 1 });
    expect(pageErrors(job)).toEqual({ 3: { error: "Page 3 has no OCR text", error_type: "terminal" } });
  });

  it("cancelled in the middle it stops, keeps what is done, and resumes with the rest", async () => {
    const bookId = await bring((texts) => texts.with(2, `${texts[2]} ${weak}`));
    ill = true;
    const { blobs } = place[by].runtime.books.services;
    const waiting = Promise.withResolvers<void>();
    // Page 3 stands still at its text until the job is cancelled.
    const slow = {
      ...blobs,
      async get(...[key, options]: Parameters<typeof blobs.get>) {
        if (key.endsWith("/3.txt")) await waiting.promise;
        return blobs.get(key, options);
      },
    };
    await using _worker = await startBookWorker(place[by], { blobs: slow });
    const { job_id } = await client.generate(bookId);
    await until(async () => (await client.job(bookId, job_id as string)).completed_items === 2);
    const { status, body } = await client.post(`/admin/books/${bookId}/jobs/${job_id}/cancel`);
    expect({ status, state: body.status }).toEqual({ status: 200, state: "cancelled" });
    expectCoherent(body);
    waiting.resolve();
    ill = false;
    expect((await client.post(`/admin/books/${bookId}/jobs/${job_id}/cancel`)).status).toBe(409);
    const resumed = await extract(client, bookId, { resume: true });
    expect(resumed).toMatchObject({ status: "completed", total_items: 3, completed_items: 3 });
    await expectArtifacts(place[by], client, bookId, [1, 2, 3, 4, 5]);
  });
});
