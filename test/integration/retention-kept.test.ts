/** Retention as people see it: documents, books and batches keep the jobs they show, and what is gone is gone everywhere. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Clock, databaseClock } from "../../src/db/clock.ts";
import { sql } from "../../src/db/sql.ts";
import { newId } from "../../src/jobs/new-id.ts";
import { removeOldJobs } from "../../src/jobs/remove-old-jobs.ts";
import { readBookJobs, readLatestJob } from "../../src/pipelines/books/read-book-jobs.ts";
import { type DocumentPlace, openDocumentPlace } from "../support/document-place.ts";
import { openStream } from "../support/event-reader.ts";

const aDayMs = 24 * 3_600_000;
const never = new AbortController().signal;
/** As it will be in 40 days, when all that has ended by now is old. */
const later: Clock = { ...databaseClock, now: () => sql`now() + interval '40 days'` };

let place: DocumentPlace;
beforeAll(async () => {
  place = await openDocumentPlace();
  await place.startWorker();
});
afterAll(() => place.close());

function removeOld(): Promise<number> {
  const { db, registry } = place.runtime.engine;
  return removeOldJobs({ db, clock: later, registry }, { keepMs: 30 * aDayMs, signal: never });
}

const text = (words: string) => ({ name: "note.txt", bytes: new TextEncoder().encode(words) });
const isReady = ({ status }: { status: string }) => status === "Ready";

async function jobIds(documentId: string): Promise<string[]> {
  return (await place.jobs(documentId)).map(({ id }) => id);
}

async function sendWithKey(key: string) {
  const form = new FormData();
  form.append("file", new Blob(["A letter that is sent twice."]), "letter.txt");
  const { status, body } = await place.ask("/api/documents", {
    method: "POST",
    body: form,
    headers: { "idempotency-key": key },
  });
  return { status, id: body.id as string };
}

/** Reads it again until that has come to its end; answers the new job's id. */
async function reprocess(documentId: string): Promise<string> {
  const { status } = await place.post(`/api/documents/${documentId}/reprocess`);
  expect(status).toBeLessThan(300);
  await place.atRest();
  return (await place.read(documentId)).jobId;
}

describe("a document", () => {
  it("keeps the job that is its state; those before it go, and are gone wherever one looks", async () => {
    const { id } = await place.upload(text("The harbour has three piers."));
    await place.atRest();
    const first = (await place.read(id)).jobId;
    const second = await reprocess(id);
    const before = await place.read(id);
    await using whole = await openStream(`${place.url}/api/jobs/${second}/stream`, 0);
    const events = (await whole.rest()).map(({ id, type, data }) => ({ id, type, data }));
    expect(await jobIds(id)).toEqual(expect.arrayContaining([first, second]));
    expect(await removeOld()).toBeGreaterThan(0);

    expect(await place.read(id)).toEqual(before);
    expect(before.status).toBe("Ready");
    expect(await jobIds(id)).toEqual([second]);
    for (const path of ["", "/events", "/items", "/stream"]) {
      expect((await place.ask(`/api/jobs/${first}${path}`)).status, path).toBe(404);
    }
    expect((await place.post(`/api/jobs/${first}/retry`)).status).toBe(404);
    const half = Math.floor(events.length / 2);
    await using rest = await openStream(`${place.url}/api/jobs/${second}/stream`, half);
    const replayed = (await rest.rest()).map(({ id, type, data }) => ({ id, type, data }));
    expect(replayed).toEqual(events.slice(half));
    const { body: listed } = await place.ask("/api/jobs?limit=100");
    const { body: stats } = await place.ask("/api/stats");
    expect(stats.jobs.completed).toBe(listed.items.length);
    expect(await removeOld()).toBe(0);
  });

  it("that was deleted needs its jobs no longer", async () => {
    const { id } = await place.upload(text("Soon to be forgotten."));
    await place.reaches(id, isReady);
    await place.atRest();
    const [current] = await jobIds(id);
    await removeOld();
    expect((await place.ask(`/api/jobs/${(await place.read(id)).jobId}`)).status).toBe(200);
    await place.ask(`/api/documents/${id}`, { method: "DELETE" });
    expect(await removeOld()).toBeGreaterThan(0);
    expect((await place.ask(`/api/jobs/${current}`)).status).toBe(404);
  });

  it("is still what its Idempotency-Key leads to, also after it was read again", async () => {
    const first = await sendWithKey("sent twice");
    await place.atRest();
    await reprocess(first.id);
    await removeOld();
    expect(await sendWithKey("sent twice")).toEqual(first);
    expect(isReady(await place.read(first.id))).toBe(true);
  });

  it("can be retried after it failed long ago", async () => {
    const { id } = await place.upload(text("Fails first."));
    await place.atRest();
    const { jobId } = await place.read(id);
    await place.db.query(
      sql`update jobs set status = 'failed', error_code = 'X', error_message = 'x' where id = ${jobId}`,
    );
    await removeOld();
    expect((await place.read(id)).status).toBe("Failed");
    expect((await place.post(`/api/documents/${id}/retry`)).status).toBeLessThan(300);
    await place.reaches(id, isReady);
    await place.atRest();
  });
});

async function insertJob(kind: string, input: object, more: { batchId?: string } = {}): Promise<string> {
  const id = newId();
  await place.db.query(sql`
    insert into jobs (id, kind, status, input, batch_id, sequence, max_attempts, when_lost, completed_at)
    values (${id}, ${kind}, 'completed', ${JSON.stringify(input)}::jsonb, ${more.batchId}, ${more.batchId ? 1 : null}, 1, 'fail', now())`);
  return id;
}

describe("a book", () => {
  it("keeps the latest job of each kind, and none once it is gone", async () => {
    const { db } = place;
    const bookId = newId();
    await db.query(sql`insert into books (id, title) values (${bookId}, 'Sums')`);
    const input = { bookId, pageIds: [], autoSync: false };
    const jobs: string[] = [];
    for (const kind of ["ocr_batch", "ocr_batch", "extraction", "extraction", "finalization", "ocr_batch"]) {
      jobs.push(await insertJob(kind, input));
    }
    const [, , , extraction, finalization, ocr] = jobs;
    await removeOld();
    expect((await readBookJobs(db, bookId)).map(({ job_id }) => job_id)).toEqual([ocr, finalization, extraction]);
    expect((await readLatestJob(db, bookId, "extraction"))?.job_id).toBe(extraction);
    await db.query(sql`delete from books where id = ${bookId}`);
    expect(await removeOld()).toBe(3);
  });
});

describe("a batch of heat sheets", () => {
  it("has a time of its own", async () => {
    const { db } = place;
    const batchId = newId();
    await db.query(sql`
      insert into batches (id, kind, status, total_jobs, completed_jobs, completed_at)
      values (${batchId}, 'heat_sheet', 'completed', 1, 1, now())`);
    await db.query(sql`
      insert into heat_batches (batch_id, swimmer_name, swimmer_key, extractor, expires_at)
      values (${batchId}, 'Runa Elmford', 'elmford runa', 'auto', now() + interval '400 days')`);
    const jobId = await insertJob("heat_sheet", {}, { batchId });
    await db.query(
      sql`insert into heat_sources (job_id, batch_id, sequence, filename) values (${jobId}, ${batchId}, 1, 'a.pdf')`,
    );
    await removeOld();
    expect(await db.query(sql`select from jobs where id = ${jobId}`)).toHaveLength(1);
    expect(await db.query(sql`select from batches where id = ${batchId}`)).toHaveLength(1);
  });
});
