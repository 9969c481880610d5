/** Books over HTTP: every endpoint, its fields and status codes, and errors that are a `detail` and nothing else. */
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as contract from "../../src/contract/books.ts";
import { sql } from "../../src/db/sql.ts";
import { type BookClient, openBookClient } from "../support/book-client.ts";
import { bringTexts } from "../support/book-texts.ts";
import { expectCoherent, expectMirrored, listStored, readBookFiles } from "../support/book-traces.ts";
import { startBookWorker } from "../support/book-worker.ts";
import { type DocumentPlace, openDocumentPlace, type SampleFile } from "../support/document-place.ts";
import { openStream } from "../support/event-reader.ts";
import { readStream } from "../support/read-job.ts";
import { drawBlankPage, drawCutPage, samplePage, schoolbook } from "../support/sample-pages.ts";

let place: DocumentPlace;
let client: BookClient;
/** A book with three pages and their guidelines. */
let bookId: string;
let jobId: string;
let page: SampleFile;

const nowhere = "019b0000-0000-7000-8000-000000000000";

beforeAll(async () => {
  place = await openDocumentPlace({ settings: { DOCMILL_EMBEDDINGS: "local" } });
  client = openBookClient(place.url);
  page = await samplePage("page.png", "One more page");
  bookId = await bringTexts(client, schoolbook.slice(0, 3), "Sums");
  await using _worker = await startBookWorker(place);
  jobId = (await client.generate(bookId)).job_id as string;
  expect(await client.ended(bookId, jobId)).toMatchObject({ status: "completed" });
});

afterAll(() => place.close());

/** The answer has exactly the fields of the contract. */
function expectShape(schema: { parse(value: unknown): unknown }, body: unknown): void {
  expect(schema.parse(body)).toEqual(body);
}

describe("books", () => {
  it("are created with what is known of them, and everything else is null", async () => {
    const full = { title: " Maths ", author: "A. Nyman", grade: 5, subject: "Mathematics", board: "State" };
    const created = await client.post("/admin/books", full);
    expect(created.status).toBe(201);
    expectShape(contract.Book, created.body);
    expect(created.body).toMatchObject({ ...full, title: "Maths", grade: "5", total_pages: 0 });
    const bare = await client.post("/admin/books", { title: "Bare", author: null });
    expect(bare.body).toMatchObject({ author: null, grade: null, subject: null, board: null });
    const { body } = await client.ask("/admin/books");
    expectShape(contract.BookList, body);
    expect(body.books.slice(0, 2)).toMatchObject([
      { title: "Bare", latest_job: null },
      { title: "Maths", latest_job: null },
    ]);
    const worked = body.books.find(({ id }: contract.Book) => id === bookId);
    expect(worked.latest_job).toEqual((await client.ask(`/admin/books/${bookId}/jobs/latest`)).body);
    expect(worked.latest_job).toMatchObject({ job_id: jobId, job_type: "extraction" });
  });

  it.each<[string, unknown, number]>([
    ["no title", {}, 422],
    ["an empty one", { title: "  " }, 422],
    ["a long one", { title: "x".repeat(201) }, 422],
    ["a number for a title", { title: 7 }, 422],
    ["what cannot be stored", { title: "nul\u0000" }, 422],
    ["no object", [1], 422],
  ])("with %s are refused", async (_name, request, status) => {
    const { status: answered, body } = await client.post("/admin/books", request);
    expect({ answered, keys: Object.keys(body) }).toEqual({ answered: status, keys: ["detail"] });
  });

  it("are not made of what is no JSON", async () => {
    const init = { method: "POST", body: "{", headers: { "content-type": "application/json" } };
    expect(await client.ask("/admin/books", init)).toEqual({
      status: 400,
      body: { detail: expect.stringMatching(/JSON/) },
    });
    const form = await client.ask("/admin/books", { method: "POST", body: new URLSearchParams({ title: "x" }) });
    expect({ status: form.status, keys: Object.keys(form.body) }).toEqual({ status: 415, keys: ["detail"] });
  });

  it("are shown with their pages and the latest job of each type", async () => {
    const { body } = await client.ask(`/admin/books/${bookId}`);
    expectShape(contract.BookDetail, body);
    expect(body).toMatchObject({ title: "Sums", total_pages: 3 });
    expect(body.latest_jobs).toMatchObject({
      ocr_batch: { status: "cancelled", error_message: null },
      extraction: { job_id: jobId, status: "completed" },
      finalization: null,
    });
  });

  it("are deleted with all rows and files", async () => {
    const id = await bringTexts(client, schoolbook.slice(0, 2));
    const worker = await startBookWorker(place);
    await client.ended(id, (await client.generate(id, { auto_sync_to_db: true })).job_id as string);
    await worker.stop();
    expect(await client.remove(`/admin/books/${id}`)).toEqual({ status: 204, body: undefined });
    expect((await listStored(place)).filter((key) => key.includes(id))).toEqual([]);
    const [rows] = await place.db.query(sql`
      select (select count(*)::integer from book_pages where book_id = ${id}) as pages,
        (select count(*)::integer from subtopics where book_id = ${id}) as subtopics,
        (select count(*)::integer from page_guidelines where book_id = ${id}) as guidelines,
        (select count(*)::integer from teaching_guidelines where book_id = ${id}) as synced`);
    expect(rows).toEqual({ pages: 0, subtopics: 0, guidelines: 0, synced: 0 });
    expect((await client.ask(`/admin/books/${id}`)).status).toBe(404);
    expect((await client.ask(`/admin/books/${id}/jobs`)).status).toBe(404);
    expect((await client.remove(`/admin/books/${id}`)).status).toBe(404);
  });
});

describe("what is not there", () => {
  const paths = (id: string): [method: string, path: string, body?: unknown][] => [
    ["GET", id],
    ["DELETE", id],
    ["GET", `${id}/pages`],
    ["GET", `${id}/pages/1`],
    ["GET", `${id}/pages/1/image`],
    ["GET", `${id}/pages/1/text`],
    ["PUT", `${id}/pages/1/text`, { text: "x" }],
    ["PUT", `${id}/pages/1/approve`],
    ["POST", `${id}/pages/1/retry-ocr`],
    ["DELETE", `${id}/pages/1`],
    ["POST", `${id}/pages/retry-failed`],
    ["POST", `${id}/pages/approve-all`],
    ["POST", `${id}/generate-guidelines`, {}],
    ["POST", `${id}/finalize`, {}],
    ["GET", `${id}/guidelines`],
    ["GET", `${id}/guidelines/x`],
    ["PUT", `${id}/guidelines/x`, { summary: "x" }],
    ["POST", `${id}/guidelines/x/approve`],
    ["POST", `${id}/guidelines/x/reject`],
    ["GET", `${id}/jobs`],
    ["GET", `${id}/jobs/latest`],
    ["GET", `${id}/jobs/${nowhere}`],
    ["GET", `${id}/jobs/${nowhere}/stream`],
    ["POST", `${id}/jobs/${nowhere}/cancel`],
  ];
  const ask = (method: string, path: string, body?: unknown) =>
    client.ask(`/admin/books/${path}`, {
      method,
      ...(body !== undefined && { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
    });

  it.each([nowhere, "no-uuid", "%F0%9F%93%9A", "null"])("a book %s is 404 everywhere, in one sentence", async (id) => {
    for (const [method, path, body] of paths(id)) {
      const answer = await ask(method, path, body);
      expect({ method, path, ...answer }).toEqual({ method, path, status: 404, body: { detail: expect.any(String) } });
    }
    for (const answer of [client.addPage(id, page), client.bulk(id, [page]), client.replacePage(id, 1, page)]) {
      expect(await answer).toEqual({ status: 404, body: { detail: expect.any(String) } });
    }
  });

  it("a page, a subtopic and a job that the book does not have are 404", async () => {
    const other = await client.create("Other");
    const missing: [string, string, unknown?][] = [
      ["GET", `${bookId}/pages/4`],
      ["GET", `${bookId}/pages/4/image`],
      ["GET", `${bookId}/pages/4/text`],
      ["PUT", `${bookId}/pages/4/text`, { text: "x" }],
      ["PUT", `${bookId}/pages/4/approve`],
      ["POST", `${bookId}/pages/4/retry-ocr`],
      ["DELETE", `${bookId}/pages/4`],
      ["GET", `${bookId}/guidelines/${nowhere}`],
      ["PUT", `${bookId}/guidelines/no-such`, { summary: "x" }],
      ["POST", `${bookId}/guidelines/no-such/approve`],
      ["GET", `${bookId}/jobs/${nowhere}`],
      ["GET", `${bookId}/jobs/no-uuid`],
      ["GET", `${bookId}/jobs/no-uuid/stream`],
      // The job is there, and is another book's.
      ["GET", `${other}/jobs/${jobId}`],
      ["GET", `${other}/jobs/${jobId}/stream`],
      ["POST", `${other}/jobs/${jobId}/cancel`],
      ["GET", `${bookId}/nothing`],
    ];
    for (const [method, path, body] of missing) {
      const answer = await ask(method, path, body);
      expect({ method, path, ...answer }).toEqual({ method, path, status: 404, body: { detail: expect.any(String) } });
    }
    expect((await client.replacePage(bookId, 4, page)).status).toBe(404);
    expect(await client.ask(`/admin/books/${other}/jobs/latest`)).toEqual({ status: 200, body: null });
    expect((await client.ask(`/admin/books/${bookId}/jobs/latest?job_type=finalization`)).body).toBeNull();
  });

  it("a page number that is none, a job type that is none and a wrong method are refused in the same form", async () => {
    expect((await client.ask(`/admin/books/${bookId}/pages/0`)).status).toBe(404);
    for (const n of ["-1", "1.5", "two", "99999999999"]) {
      const { status, body } = await client.ask(`/admin/books/${bookId}/pages/${n}`);
      expect({ n, status, keys: Object.keys(body) }).toEqual({ n, status: 400, keys: ["detail"] });
      expect((await client.replacePage(bookId, n as never, page)).status).toBe(400);
    }
    expect(await client.ask(`/admin/books/${bookId}/jobs/latest?job_type=nap`)).toEqual({
      status: 400,
      body: { detail: expect.any(String) },
    });
    const wrong = await client.remove(`/admin/books/${bookId}/pages`);
    expect({ status: wrong.status, keys: Object.keys(wrong.body) }).toEqual({ status: 405, keys: ["detail"] });
  });
});

describe("pages", () => {
  it("one at a time: read before the answer, whatever comes of it", async () => {
    const id = await client.create();
    const { status, body } = await client.addPage(id, page);
    expect(status).toBe(200);
    expectShape(contract.PageWithText, body);
    expect(body).toMatchObject({
      page_num: 1,
      filename: "page.png",
      status: "pending_review",
      ocr_status: "completed",
      ocr_error: null,
      ocr_error_type: null,
      approved_at: null,
      ocr_text: "One more page\n",
    });
    const blank = await client.addPage(id, { name: "blank.png", bytes: await drawBlankPage() });
    expect(blank).toMatchObject({ status: 200, body: { page_num: 2, ocr_status: "failed", ocr_text: null } });
    expect(blank.body).toMatchObject({ ocr_error: "OCR text was empty", ocr_error_type: "terminal" });
    const broken = await client.addPage(id, { name: "broken.png", bytes: await drawCutPage() });
    expect(broken.body).toMatchObject({
      page_num: 3,
      ocr_status: "failed",
      ocr_error_type: "terminal",
      image_key: null,
    });
    expect((await client.show(id)).total_pages).toBe(3);
    await expectMirrored(place, client, id);

    // A better scan.
    const before = await readBookFiles(place, id);
    const { body: replaced } = await client.replacePage(id, 2, page);
    expectShape(contract.PageWithText, replaced);
    expect(replaced).toMatchObject({ page_num: 2, filename: "page.png", ocr_status: "completed", ocr_error: null });
    const after = await readBookFiles(place, id);
    expect(Object.keys(after)).not.toContain("raw/2.png");
    expect(Object.keys(after)).toContain("raw/4.png");
    expect(after["1.txt"]).toBe(before["1.txt"]);
    // One that is refused leaves the page as it was.
    const refused = await client.replacePage(id, 2, { name: "x.png", bytes: Buffer.from("no picture") });
    expect(refused).toEqual({ status: 400, body: { detail: expect.any(String) } });
    expect((await client.ask(`/admin/books/${id}/pages/2`)).body).toEqual(replaced);
    await expectMirrored(place, client, id);
  });

  it("are listed and shown with text and picture", async () => {
    const { body } = await client.ask(`/admin/books/${bookId}/pages`);
    expectShape(contract.PageList, body);
    expect(body).toMatchObject({ total_pages: 3 });
    const one = (await client.ask(`/admin/books/${bookId}/pages/2`)).body;
    expectShape(contract.PageWithText, one);
    expect(one.ocr_text).toBe(schoolbook[1]);
    expect((await client.ask(`/admin/books/${bookId}/pages/2/text`)).body).toEqual({
      page_num: 2,
      text: schoolbook[1],
    });
    const image = await fetch(`${place.url}/admin/books/${bookId}/pages/2/image`);
    expect(image.headers.get("content-type")).toBe("image/png");
    expect(image.headers.get("x-content-type-options")).toBe("nosniff");
    expect(await sharp(Buffer.from(await image.arrayBuffer())).metadata()).toMatchObject({ format: "png" });
    const etag = image.headers.get("etag") as string;
    const again = await fetch(image.url, { headers: { "if-none-match": etag } });
    expect(again.status).toBe(304);
  });

  it("are approved one by one or all that have text, once", async () => {
    const id = await bringTexts(client, schoolbook.slice(0, 3));
    await place.db.query(sql`
      update book_pages set ocr_status = 'failed', ocr_error = 'x', ocr_error_type = 'retryable', text_key = null
      where book_id = ${id} and page_num = 3`);
    const { body } = await client.put(`/admin/books/${id}/pages/2/approve`);
    expectShape(contract.BookPage, body);
    expect(body).toMatchObject({ page_num: 2, status: "approved", approved_at: expect.any(String) });
    expect((await client.put(`/admin/books/${id}/pages/2/approve`)).body).toEqual(body);
    expect(await client.put(`/admin/books/${id}/pages/3/approve`)).toEqual({
      status: 409,
      body: { detail: expect.stringMatching(/no text yet/) },
    });
    const all = await client.post(`/admin/books/${id}/pages/approve-all`);
    expectShape(contract.ApprovedPages, all.body);
    expect(all).toEqual({ status: 200, body: { approved: [1], total_pages: 3 } });
    expect((await client.post(`/admin/books/${id}/pages/approve-all`)).body.approved).toEqual([]);
    await expectMirrored(place, client, id);
    // Together, many at once: the mirror has seen them all.
    const many = await bringTexts(client, schoolbook);
    await Promise.all([1, 2, 3, 4, 5].map((n) => client.put(`/admin/books/${many}/pages/${n}/approve`)));
    expect((await client.pages(many)).every(({ status }) => status === "approved")).toBe(true);
    await expectMirrored(place, client, many);
  });

  it("are corrected by hand", async () => {
    const id = await bringTexts(client, schoolbook.slice(0, 1));
    const at = `/admin/books/${id}/pages/1/text`;
    const { body } = await client.put(at, { text: "Corrected — ½ 🧲" });
    expectShape(contract.PageWithText, body);
    expect(body).toMatchObject({ ocr_status: "completed", ocr_text: "Corrected — ½ 🧲" });
    for (const wrong of [{}, { text: 1 }, { text: "nul\u0000" }, { text: "x".repeat(1_000_001) }]) {
      const { status, body: refused } = await client.put(at, wrong);
      expect({ status, keys: Object.keys(refused) }).toEqual({ status: 422, keys: ["detail"] });
    }
    expect((await client.put(at, { text: "x".repeat(1_100_000) })).status).toBe(413);
    expect((await client.ask(at)).body.text).toBe("Corrected — ½ 🧲");
  });

  it("move up when one before them goes, with their files, texts and guidelines", async () => {
    const id = await bringTexts(client, schoolbook);
    const worker = await startBookWorker(place);
    await client.ended(id, (await client.generate(id)).job_id as string);
    await worker.stop();
    const before = await client.pages(id);
    const { status, body } = await client.remove(`/admin/books/${id}/pages/1`);
    expect({ status, body }).toEqual({ status: 200, body: { deleted_page: 1, total_pages: 4 } });
    const after = await client.pages(id);
    expect(after).toEqual(before.slice(1).map((one, index) => ({ ...one, page_num: index + 1 })));
    for (const [index, text] of schoolbook.slice(1).entries()) {
      expect((await client.ask(`/admin/books/${id}/pages/${index + 1}/text`)).body.text).toBe(text);
    }
    const covered = (await client.guidelines(id)).topics.flatMap(({ subtopics }) =>
      subtopics.map(({ pages }) => pages),
    );
    expect(covered).toEqual([[1], [2, 3], [4]]);
    expect(Object.keys(await readBookFiles(place, id)).filter((name) => /^1\.|raw\/1\./.test(name))).toEqual([]);
    // The only page of a subtopic takes it along.
    await client.remove(`/admin/books/${id}/pages/4`);
    expect((await client.guidelines(id)).total_subtopics).toBe(2);
    const shards = Object.keys(await readBookFiles(place, id, "guidelines/subtopics/"));
    expect(shards).toHaveLength(2);
    await expectMirrored(place, client, id);
    expect(await client.generate(id, { resume: true })).toMatchObject({ status: "already_complete" });
    // A new page gets a name that no page had.
    const added = await client.addPage(id, page);
    expect(added.body).toMatchObject({ page_num: 4, raw_image_key: `books/${id}/raw/6.png` });
  });
});

describe("jobs of a book", () => {
  it.each<[string, object, number]>([
    ["ends before it begins", { start_page: 3, end_page: 2 }, 400],
    ["ends behind the book", { end_page: 4 }, 400],
    ["begins behind the book", { start_page: 4 }, 400],
    ["begins nowhere", { start_page: 0 }, 400],
    ["begins before the book", { start_page: -1, end_page: 1 }, 400],
    ["is no range", { start_page: "first" }, 422],
  ])("a range that %s is refused, and nothing of the book is touched", async (_name, range, status) => {
    const before = await client.guidelines(bookId);
    const answer = await client.post(`/admin/books/${bookId}/generate-guidelines`, range);
    expect(answer).toEqual({ status, body: { detail: expect.any(String) } });
    expect(await client.guidelines(bookId)).toEqual(before);
    expect((await client.latest(bookId))?.job_id).toBe(jobId);
  });

  it("a book without pages has nothing to generate from", async () => {
    const empty = await client.create("Empty");
    expect(await client.post(`/admin/books/${empty}/generate-guidelines`)).toEqual({
      status: 400,
      body: { detail: "No pages uploaded for this book" },
    });
    expect((await client.post(`/admin/books/${empty}/pages/retry-failed`)).body).toMatchObject({ job_id: null });
  });

  it("are listed, newest first, and found by type", async () => {
    const { body } = await client.ask(`/admin/books/${bookId}/jobs`);
    expectShape(contract.JobListOfBook, body);
    expect(body.jobs.map(({ job_type }: contract.BookJob) => job_type)).toEqual(["extraction", "ocr_batch"]);
    for (const job of body.jobs) expectCoherent(job);
    expect(await client.latest(bookId)).toEqual(body.jobs[0]);
    expect(await client.latest(bookId, "ocr_batch")).toEqual(body.jobs[1]);
    expect(await client.job(bookId, jobId)).toEqual(body.jobs[0]);
  });

  it("stream their events; whoever comes back gets exactly the rest", async () => {
    const url = `${place.url}/admin/books/${bookId}/jobs/${jobId}/stream`;
    const written = await readStream(place.db, jobId);
    await using whole = await openStream(url, 0);
    const events = await whole.rest();
    expect(events.map(({ id, type }) => `${id} ${type}`)).toEqual(
      written.map(({ number, type }) => `${number} ${type}`),
    );
    for (const at of [1, Math.floor(written.length / 2)]) {
      await using rest = await openStream(url, at);
      expect(await rest.rest()).toEqual(events.slice(at));
    }
    const over = await fetch(url, { headers: { "last-event-id": String(written.length) } });
    expect(over.status).toBe(204);
    // From the beginning without a number: first the job as it is, in the words of books.
    await using synced = await openStream(url);
    const first = await synced.next();
    expect(first?.type).toBe("state_sync");
    expect(JSON.parse(first?.data ?? "{}")).toMatchObject({
      ...(await client.job(bookId, jobId)),
      eventId: written.length,
    });
    const bad = await client.ask(`/admin/books/${bookId}/jobs/${jobId}/stream?lastEventId=-1`);
    expect({ status: bad.status, keys: Object.keys(bad.body) }).toEqual({ status: 400, keys: ["detail"] });
  });

  it("a stream follows a job to its end, cancelled by a person", async () => {
    const id = await bringTexts(client, schoolbook.slice(0, 1));
    const { job_id } = await client.generate(id);
    await using stream = await openStream(`${place.url}/admin/books/${id}/jobs/${job_id}/stream`);
    expect((await stream.next())?.type).toBe("state_sync");
    const { status, body } = await client.post(`/admin/books/${id}/jobs/${job_id}/cancel`);
    expect(status).toBe(200);
    expectShape(contract.BookJob, body);
    expect((await stream.rest()).map(({ type }) => type)).toEqual(["job_cancelled"]);
  });
});

describe("guidelines", () => {
  it("are topics with subtopics, each found by id and key", async () => {
    const guidelines = await client.guidelines(bookId);
    expectShape(contract.Guidelines, guidelines);
    expect(guidelines).toMatchObject({ book_id: bookId, total_subtopics: 2 });
    for (const { topic_key, topic_title, subtopics } of guidelines.topics) {
      for (const subtopic of subtopics) {
        expect(subtopic).toMatchObject({ topic_key, topic_title, provenance: "rules" });
        for (const name of [subtopic.id, subtopic.subtopic_key]) {
          expect((await client.ask(`/admin/books/${bookId}/guidelines/${name}`)).body).toEqual(subtopic);
        }
      }
    }
    const empty = await client.create();
    expect(await client.guidelines(empty)).toEqual({ book_id: empty, total_subtopics: 0, topics: [] });
  });

  it("are corrected, approved and sent back; keys stay unique and files follow", async () => {
    const id = await bringTexts(client, schoolbook.slice(0, 3));
    const worker = await startBookWorker(place);
    await client.ended(id, (await client.generate(id)).job_id as string);
    await worker.stop();
    const [first, second] = (await client.guidelines(id)).topics.flatMap(({ subtopics }) => subtopics);
    const at = `/admin/books/${id}/guidelines/${second?.id}`;
    const { body } = await client.put(at, { subtopic_title: first?.subtopic_title, summary: "Short." });
    expectShape(contract.Subtopic, body);
    expect(body).toMatchObject({
      subtopic_title: first?.subtopic_title,
      summary: "Short.",
      guidelines: second?.guidelines,
    });
    expect(body.version).toBe((second?.version ?? 0) + 1);
    expect(body.subtopic_key).not.toBe(first?.subtopic_key);
    for (const wrong of [{ summary: "" }, { guidelines: 1 }, { subtopic_title: " " }, { summary: "nul\u0000" }]) {
      const refused = await client.put(at, wrong);
      expect({ status: refused.status, keys: Object.keys(refused.body) }).toEqual({ status: 422, keys: ["detail"] });
    }
    expect((await client.post(`${at}/approve`)).body).toEqual({ ...body, status: "approved" });
    const files = await readBookFiles(place, id, "guidelines/");
    expect(JSON.parse(files[`subtopics/${second?.id}.json`] as string)).toEqual({ ...body, status: "approved" });
    expect(files["index.json"]).toContain(body.subtopic_key);
    expect((await client.post(`${at}/reject`)).body).toEqual({ ...body, status: "needs_review" });
  });
});

it("everything of /admin is described", async () => {
  const { body } = await client.ask("/openapi.json");
  const described = Object.entries(body.paths as Record<string, object>)
    .filter(([path]) => path.startsWith("/admin/"))
    .flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method} ${path.replace("/admin/books", "")}`),
    );
  expect(described.sort()).toEqual(
    [
      "delete /{id}",
      "delete /{id}/pages/{n}",
      "get ",
      "get /{id}",
      "get /{id}/guidelines",
      "get /{id}/guidelines/{subtopic_id}",
      "get /{id}/jobs",
      "get /{id}/jobs/latest",
      "get /{id}/jobs/{job_id}",
      "get /{id}/jobs/{job_id}/stream",
      "get /{id}/pages",
      "get /{id}/pages/{n}",
      "get /{id}/pages/{n}/image",
      "get /{id}/pages/{n}/text",
      "post ",
      "post /{id}/finalize",
      "post /{id}/generate-guidelines",
      "post /{id}/guidelines/{subtopic_id}/approve",
      "post /{id}/guidelines/{subtopic_id}/reject",
      "post /{id}/jobs/{job_id}/cancel",
      "post /{id}/pages",
      "post /{id}/pages/approve-all",
      "post /{id}/pages/bulk",
      "post /{id}/pages/retry-failed",
      "post /{id}/pages/{n}/retry-ocr",
      "put /{id}/guidelines/{subtopic_id}",
      "put /{id}/pages/{n}/approve",
      "put /{id}/pages/{n}/image",
      "put /{id}/pages/{n}/text",
    ].sort(),
  );
});
