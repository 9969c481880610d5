/**
 * What must not be lost: scans of a page that is in, whatever fails afterwards; what a person has written or approved; and
 * the truth of guidelines when pages under them change.
 */
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Subtopic } from "../../src/contract/books.ts";
import { type BookClient, openBookClient } from "../support/book-client.ts";
import { bringTexts } from "../support/book-texts.ts";
import { startBookWorker } from "../support/book-worker.ts";
import { type DocumentPlace, openDocumentPlace } from "../support/document-place.ts";
import { samplePage, schoolbook } from "../support/sample-pages.ts";

let place: DocumentPlace;
let client: BookClient;
beforeAll(async () => {
  place = await openDocumentPlace({ settings: { DOCMILL_EMBEDDINGS: "local" } });
  client = openBookClient(place.url);
});
afterAll(() => place.close());

const subtopicsOf = async (bookId: string): Promise<Subtopic[]> =>
  (await client.guidelines(bookId)).topics.flatMap(({ subtopics }) => subtopics);

async function run(start: () => Promise<{ job_id: string | null }>, bookId: string) {
  await using _worker = await startBookWorker(place);
  const { job_id } = await start();
  return job_id === null ? null : await client.ended(bookId, job_id);
}

async function bringExtracted(title: string): Promise<string> {
  const bookId = await bringTexts(client, schoolbook, title);
  expect(await run(() => client.generate(bookId), bookId)).toMatchObject({ status: "completed", failed_items: 0 });
  return bookId;
}

/** The pages that a text names. */
const citedIn = (text: string) => new Set([...text.matchAll(/\(p\. (\d+)\)/g)].map(([, page]) => Number(page)));

it("a page that is in keeps its scan when the mirror cannot be written", async () => {
  const bookId = await client.create("Unmirrored");
  const mirror = join(place.environment.DOCMILL_DATA_DIR as string, "files", "books", bookId, "metadata.json");
  await mkdir(join(mirror, "in the way"), { recursive: true });
  const first = await client.addPage(bookId, await samplePage("one.png", "First page"));
  expect(first).toMatchObject({ status: 200, body: { page_num: 1, ocr_status: "completed" } });
  const second = await client.replacePage(bookId, 1, await samplePage("two.png", "Second page"));
  expect(second).toMatchObject({ status: 200, body: { page_num: 1, filename: "two.png" } });
  expect((await client.ask(`/admin/books/${bookId}/pages/1/image`)).status).toBe(200);
  expect((await client.post(`/admin/books/${bookId}/pages/1/retry-ocr`)).body).toMatchObject({
    ocr_status: "completed",
  });
  await rm(mirror, { recursive: true });
});

it("what a person has written stays when the book is finalized", async () => {
  const bookId = await bringExtracted("Written by hand");
  const [first] = await subtopicsOf(bookId);
  const words = { subtopic_title: "My own title", summary: "My own summary.", guidelines: "My own guidelines." };
  await client.put(`/admin/books/${bookId}/guidelines/${first?.id}`, words);
  expect(await run(() => client.finalize(bookId), bookId)).toMatchObject({ status: "completed" });
  expect((await subtopicsOf(bookId)).find(({ id }) => id === first?.id)).toMatchObject({ ...words, status: "final" });
});

it("guidelines name the pages they stand on after one was removed, and nothing of it", async () => {
  const bookId = await bringExtracted("Removed");
  const [first] = await subtopicsOf(bookId);
  expect(first?.pages).toEqual([1, 2]);
  await client.remove(`/admin/books/${bookId}/pages/1`);
  for (const { pages, guidelines } of await subtopicsOf(bookId)) {
    expect([...citedIn(guidelines)].filter((page) => !pages.includes(page))).toEqual([]);
  }
  const now = (await subtopicsOf(bookId)).find(({ id }) => id === first?.id);
  expect(now?.pages).toEqual([1]);
  expect(now?.version).toBe((first?.version ?? 0) + 1);
});

it("a page whose text was corrected is extracted again by a resume, and alone", async () => {
  const bookId = await bringExtracted("Corrected");
  await client.put(`/admin/books/${bookId}/pages/2/text`, { text: `${schoolbook[1]} Learn the word numerator.` });
  const started = await run(() => client.generate(bookId, { resume: true }), bookId);
  expect(started).toMatchObject({ status: "completed", total_items: 1, last_completed_item: 2 });
  const blank = await client.put(`/admin/books/${bookId}/pages/2/text`, { text: " \n" });
  expect(blank).toMatchObject({ status: 400, body: { detail: expect.stringMatching(/empty/) } });
});
