/** The test matrix of seed 000 (§19a), categories 3 and 4: bulk upload and OCR, rate limits and retries. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type BookClient, openBookClient, pageErrors } from "../support/book-client.ts";
import { expectCoherent, expectMirrored, listTraces, readBookFiles } from "../support/book-traces.ts";
import { countPuts, startBookWorker } from "../support/book-worker.ts";
import { type DocumentPlace, openDocumentPlace, type SampleFile } from "../support/document-place.ts";
import type { Misbehaviour } from "../support/fake-service.ts";
import {
  drawBlankPage,
  drawCutPage,
  isWide,
  samplePage,
  samplePages,
  wideSamplePage,
} from "../support/sample-pages.ts";

/** Reads scans here: tesseract. */
let local: DocumentPlace;
/** Reads scans by a service that misbehaves about wide pages as `trouble` says. */
let remote: DocumentPlace;
let trouble: (Misbehaviour | undefined)[] | Misbehaviour | undefined;

beforeAll(async () => {
  local = await openDocumentPlace({ settings: { DOCMILL_EMBEDDINGS: "local" } });
  remote = await openDocumentPlace({
    settings: {
      DOCMILL_EMBEDDINGS: "local",
      DOCMILL_OCR: "model",
      DOCMILL_MODEL: "reader",
      DOCMILL_MODEL_TIMEOUT_MS: "1000",
    },
    openAi: {
      plan: () => (asksForWide(remote.openAi.requests.at(-1)?.body) ? nextTrouble() : undefined),
      answerChat: () => ({ lines: [{ text: "What the page says", box: null }] }),
    },
  });
});

beforeEach(() => {
  trouble = undefined;
  countWideCalls();
});

afterAll(async () => {
  await local.close();
  await remote.close();
});

function asksForWide(body: Buffer | undefined): boolean {
  const [, image] = /"url":\s*"(data:[^"]+)"/.exec(body?.toString() ?? "") ?? [];
  return image !== undefined && isWide(image);
}

const nextTrouble = () => (Array.isArray(trouble) ? trouble.shift() : trouble);

/** Calls about wide pages since the last time it was asked. */
let counted = 0;
function countWideCalls(): number {
  const all = remote.openAi.requests.filter(({ body }) => asksForWide(body)).length;
  const since = all - counted;
  counted = all;
  return since;
}

/** Five pages, of which the second is wide. Each has words of its own: nothing is in the ledger already. */
let books = 0;
async function fivePages(): Promise<SampleFile[]> {
  const words = `Book ${++books}`;
  const pages = await Promise.all([1, 2, 3, 4, 5].map((n) => samplePage(`page_${n}.png`, words, `Leaf ${n}`)));
  pages[1] = await wideSamplePage("page_2.png", words, "Leaf 2");
  return pages;
}

async function bringBook(place: DocumentPlace, files: readonly SampleFile[]) {
  const client = openBookClient(place.url);
  const bookId = await client.create();
  const { job_id: jobId } = await client.bring(bookId, files);
  return { client, bookId, jobId };
}

const ocrOf = async (client: BookClient, bookId: string) =>
  (await client.pages(bookId)).map(({ ocr_status }) => ocr_status);

describe("category 3: bulk upload and OCR", () => {
  it("3.2 all pages are read: converted, with their text, and the mirror says so", async () => {
    const { client, bookId, jobId } = await bringBook(local, await samplePages(5));
    expectCoherent(await client.job(bookId, jobId));
    await using _worker = await startBookWorker(local);
    const job = await client.ended(bookId, jobId);
    expectCoherent(job);
    expect(job).toMatchObject({ status: "completed", total_items: 5, completed_items: 5, failed_items: 0 });
    expect(job.last_completed_item).toBe(5);
    for (const page of await client.pages(bookId)) {
      const n = page.page_num;
      expect(page).toMatchObject({
        ocr_status: "completed",
        raw_image_key: `books/${bookId}/raw/${n}.png`,
        image_key: `books/${bookId}/${n}.png`,
        text_key: `books/${bookId}/${n}.txt`,
        ocr_error: null,
        ocr_error_type: null,
      });
      const { body } = await client.ask(`/admin/books/${bookId}/pages/${n}`);
      expect(body.ocr_text).toMatch(new RegExp(`^Leaf ${n}\\s+About \\w+\\s*$`));
    }
    await expectMirrored(local, client, bookId);
  });

  it("3.3 one page meets a rate limit to the end: failed, retryable; the others are read", async () => {
    trouble = { status: 429 };
    const { client, bookId, jobId } = await bringBook(remote, await fivePages());
    await using worker = await startBookWorker(remote);
    const job = await client.ended(bookId, jobId);
    expectCoherent(job);
    expect(job).toMatchObject({ status: "completed", completed_items: 4, failed_items: 1, error_message: null });
    expect(Object.keys(pageErrors(job))).toEqual(["2"]);
    expect(pageErrors(job)["2"]).toEqual({ error: expect.stringMatching(/\S{5}/), error_type: "retryable" });
    const pages = await client.pages(bookId);
    expect(pages.map(({ ocr_status }) => ocr_status)).toEqual([
      "completed",
      "failed",
      "completed",
      "completed",
      "completed",
    ]);
    expect(pages[1]).toMatchObject({ ocr_error_type: "retryable", text_key: null });
    expect(pages[1]?.ocr_error).toBe(pageErrors(job)["2"]?.error);
    await expectMirrored(remote, client, bookId);

    // 4.1: five attempts, after 2, 4, 8 and 16 seconds.
    expect(worker.waits).toEqual([2_000, 4_000, 8_000, 16_000]);
    expect(countWideCalls()).toBe(5);
  });

  it("3.4 a failed page is read again: failed, then completed, with its text; the others are not", async () => {
    trouble = { status: 429 };
    const { client, bookId, jobId } = await bringBook(remote, await fivePages());
    await using _worker = await startBookWorker(remote);
    await client.ended(bookId, jobId);
    countWideCalls();
    const still = await client.post(`/admin/books/${bookId}/pages/2/retry-ocr`);
    expect(still).toMatchObject({ status: 200, body: { page_num: 2, ocr_status: "failed", ocr_text: null } });
    expect(still.body.ocr_error).toMatch(/\S{5}/);
    trouble = undefined;
    const again = await client.post(`/admin/books/${bookId}/pages/2/retry-ocr`);
    expect(again).toEqual({
      status: 200,
      body: { page_num: 2, ocr_status: "completed", ocr_text: "What the page says\n", ocr_error: null },
    });
    // A person is there to try again: no waits, one call each.
    expect(countWideCalls()).toBe(2);
    const page = (await client.pages(bookId))[1];
    expect(page).toMatchObject({ ocr_status: "completed", ocr_error: null, text_key: `books/${bookId}/2.txt` });
    await expectMirrored(remote, client, bookId);
  });

  it("retry-failed reads again what has no text, and nothing else, as a job", async () => {
    trouble = { status: 503 };
    const { client, bookId, jobId } = await bringBook(remote, await fivePages());
    await using _worker = await startBookWorker(remote);
    await client.ended(bookId, jobId);
    const before = await readBookFiles(remote, bookId);
    trouble = undefined;
    const asked = remote.openAi.requests.length;
    const { body: started } = await client.post(`/admin/books/${bookId}/pages/retry-failed`);
    expect(started).toMatchObject({ status: "started", start_page: 2, end_page: 2, total_pages: 1 });
    const job = await client.ended(bookId, started.job_id);
    expect(job).toMatchObject({ job_type: "ocr_batch", status: "completed", total_items: 1, completed_items: 1 });
    expect(job.last_completed_item).toBe(2);
    expect(remote.openAi.requests.length - asked).toBe(1);
    expect(new Set(await ocrOf(client, bookId))).toEqual(new Set(["completed"]));
    const after = await readBookFiles(remote, bookId);
    for (const name of Object.keys(before)) if (name !== "metadata.json") expect(after[name]).toBe(before[name]);
    const { body: nothing } = await client.post(`/admin/books/${bookId}/pages/retry-failed`);
    expect(nothing).toMatchObject({ job_id: null, status: "already_complete", total_pages: 0 });
  });

  it("3.5 of twenty pages the mirror is written about every five, and at the end", async () => {
    const { client, bookId, jobId } = await bringBook(remote, await samplePages(20));
    const { blobs, puts } = countPuts(remote.runtime.books.services.blobs);
    await using _worker = await startBookWorker(remote, { blobs });
    expect(await client.ended(bookId, jobId)).toMatchObject({ status: "completed", completed_items: 20 });
    const mirrors = puts.filter((key) => key === `books/${bookId}/metadata.json`).length;
    // Once at the beginning, four times on the way, once at the end.
    expect(mirrors).toBeGreaterThanOrEqual(4);
    expect(mirrors).toBeLessThanOrEqual(6);
    await expectMirrored(remote, client, bookId);
  });

  it("a mirror that cannot be written for a moment costs no page, and is right at the end", async () => {
    const { client, bookId, jobId } = await bringBook(remote, await samplePages(12));
    const { blobs } = remote.runtime.books.services;
    let mirrors = 0;
    const flickering: typeof blobs = {
      ...blobs,
      put(key, source, options) {
        // The second is the first that is written between two pages.
        if (key.endsWith("metadata.json") && ++mirrors === 2) return Promise.reject(new Error("out of order"));
        return blobs.put(key, source, options);
      },
    };
    await using worker = await startBookWorker(remote, { blobs: flickering });
    expect(await client.ended(bookId, jobId)).toMatchObject({
      status: "completed",
      completed_items: 12,
      failed_items: 0,
    });
    expect(mirrors).toBeGreaterThanOrEqual(3);
    expect(worker.waits).toEqual([]);
    await expectMirrored(remote, client, bookId);
  });

  it("cancelled while it waits for the service it stops, and what is not read waits for the next job", async () => {
    trouble = "hang";
    const { client, bookId, jobId } = await bringBook(remote, await fivePages());
    await using _worker = await startBookWorker(remote);
    await client.jobWhen(bookId, jobId, ({ completed_items }) => completed_items === 4);
    expect((await ocrOf(client, bookId))[1]).toBe("processing");
    const { body } = await client.post(`/admin/books/${bookId}/jobs/${jobId}/cancel`);
    expectCoherent(body);
    expect(body).toMatchObject({ status: "cancelled", completed_items: 4, failed_items: 0 });
    expect(await ocrOf(client, bookId)).toEqual(["completed", "pending", "completed", "completed", "completed"]);
    trouble = undefined;
    const { body: started } = await client.post(`/admin/books/${bookId}/pages/retry-failed`);
    expect(started).toMatchObject({ status: "started", start_page: 2, total_pages: 1 });
    expect(await client.ended(bookId, started.job_id)).toMatchObject({ status: "completed", completed_items: 1 });
    await expectMirrored(remote, client, bookId);
  });

  it("3.6 while the job is active, neither a page nor anything else of the book can be changed", async () => {
    const { client, bookId, jobId } = await bringBook(local, await samplePages(1));
    const at = `/admin/books/${bookId}`;
    const file = await samplePage("more.png", "More");
    const before = await listTraces(local);
    const answers = [
      await client.addPage(bookId, file),
      await client.bulk(bookId, [file]),
      await client.replacePage(bookId, 1, file),
      await client.post(`${at}/pages/1/retry-ocr`),
      await client.post(`${at}/pages/retry-failed`),
      await client.put(`${at}/pages/1/approve`),
      await client.post(`${at}/pages/approve-all`),
      await client.put(`${at}/pages/1/text`, { text: "By hand" }),
      await client.remove(`${at}/pages/1`),
      await client.post(`${at}/generate-guidelines`, {}),
      await client.post(`${at}/finalize`, {}),
      await client.remove(at),
    ];
    for (const [index, { status, body }] of answers.entries()) {
      expect({ index, status, body }).toEqual({
        index,
        status: 409,
        body: { detail: expect.stringContaining(`Job ${jobId} (ocr_batch) is pending`) },
      });
    }
    expect(await listTraces(local)).toEqual(before);
    await client.post(`${at}/jobs/${jobId}/cancel`);
    expect((await client.addPage(bookId, file)).status).toBe(200);
  });

  it("3.7 more than 200 files are refused, in so many words", async () => {
    const client = openBookClient(local.url);
    const bookId = await client.create();
    const file = await samplePage("same.png", "Same");
    const answer = await client.bulk(
      bookId,
      Array.from({ length: 201 }, () => file),
    );
    expect(answer).toEqual({ status: 400, body: { detail: "Max 200 files per upload" } });
  });
});

describe("category 4: rate limits and retries", () => {
  it.each<[string, (Misbehaviour | undefined)[], number[]]>([
    ["4.1 a rate limit that passes", [{ status: 429 }, { status: 429 }], [2_000, 4_000]],
    ["4.1 a service that says how long", [{ status: 429, headers: { "retry-after": "20" } }], [20_000]],
    ["4.2 a connection that is cut", ["cut-before-headers", "cut-mid-body"], [2_000, 4_000]],
    ["4.2 a service that is down", [{ status: 503 }, { status: 500 }, { status: 502 }], [2_000, 4_000, 8_000]],
    ["4.2 a service that never answers", ["hang"], [2_000]],
  ])("%s is waited for, and the page is read", async (_name, meets, waits) => {
    trouble = [...meets];
    const [, wide] = await fivePages();
    const { client, bookId, jobId } = await bringBook(remote, [wide as SampleFile]);
    await using worker = await startBookWorker(remote);
    const job = await client.ended(bookId, jobId);
    expect(job).toMatchObject({ status: "completed", completed_items: 1, failed_items: 0 });
    expect(worker.waits).toEqual(waits);
    expect(countWideCalls()).toBe(meets.length + 1);
    expect(pageErrors(job)).toEqual({});
  });

  it("4.2 a network that stays away: five attempts, then failed and retryable", async () => {
    trouble = "cut-before-headers";
    const [, wide] = await fivePages();
    const { client, bookId, jobId } = await bringBook(remote, [wide as SampleFile]);
    await using worker = await startBookWorker(remote);
    const job = await client.ended(bookId, jobId);
    expect(job).toMatchObject({ status: "completed", completed_items: 0, failed_items: 1 });
    expectCoherent(job);
    expect(pageErrors(job)["1"]).toMatchObject({ error_type: "retryable" });
    expect(worker.waits).toEqual([2_000, 4_000, 8_000, 16_000]);
    expect(countWideCalls()).toBe(5);
  });

  it("4.3 a broken picture fails at once, for good, and nobody is asked about it; so does a page without text", async () => {
    const files = [
      { name: "1.png", bytes: await drawCutPage() },
      await samplePage("2.png", "Fine page"),
      { name: "3.png", bytes: await drawBlankPage() },
      {
        name: "4.jpg",
        bytes: Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.from("JFIF and nothing more")]),
      },
    ];
    for (const place of [local, remote]) {
      const asked = remote.openAi.requests.length;
      const { client, bookId, jobId } = await bringBook(place, files);
      await using worker = await startBookWorker(place);
      const job = await client.ended(bookId, jobId);
      expectCoherent(job);
      expect(job).toMatchObject({ status: "completed", completed_items: 1, failed_items: 3 });
      expect(worker.waits).toEqual([]);
      expect(remote.openAi.requests.length - asked).toBe(place === remote ? 1 : 0);
      expect(pageErrors(job)).toEqual({
        1: { error: expect.stringMatching(/damaged/), error_type: "terminal" },
        3: { error: "OCR text was empty", error_type: "terminal" },
        4: { error: expect.stringMatching(/damaged/), error_type: "terminal" },
      });
      const pages = await client.pages(bookId);
      expect(pages.map(({ ocr_error_type }) => ocr_error_type)).toEqual(["terminal", null, "terminal", "terminal"]);
      expect(pages[2]?.ocr_error).toBe("OCR text was empty");
      await expectMirrored(place, client, bookId);
      // The scan is shown as it came in where there is nothing better.
      const shown = await fetch(`${place.url}/admin/books/${bookId}/pages/4/image`);
      expect(shown.headers.get("content-type")).toBe("image/jpeg");
      expect((await client.ask(`/admin/books/${bookId}/pages/3/text`)).status).toBe(404);
      const { body } = await client.post(`/admin/books/${bookId}/pages/approve-all`);
      expect(body).toEqual({ approved: [2], total_pages: 4 });
      expect((await client.put(`/admin/books/${bookId}/pages/3/approve`)).status).toBe(409);
    }
  });
});
