/** What books leave behind, in rows and files, and what must hold of a book whatever has happened to it. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { BookJob, type BookPage } from "../../src/contract/books.ts";
import type { Database } from "../../src/db/database.ts";
import { sql } from "../../src/db/sql.ts";
import { type BookClient, pageErrors } from "./book-client.ts";
import type { DocumentPlace } from "./document-place.ts";

/** Every file in storage, those still being written included, by its path from the storage's root. */
export async function listStored({ environment }: Pick<DocumentPlace, "environment">): Promise<string[]> {
  const root = join(environment.DOCMILL_DATA_DIR as string, "files");
  const entries = await readdir(root, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return files.map((file) => file.slice(root.length + 1)).sort();
}

/** The files of a book, by their names in it, as text. */
export async function readBookFiles(place: Pick<DocumentPlace, "environment">, bookId: string, under = "") {
  const root = join(place.environment.DOCMILL_DATA_DIR as string, "files");
  const prefix = `books/${bookId}/${under}`;
  const keys = (await listStored(place)).filter((key) => key.startsWith(prefix));
  const read = keys.map(async (key) => [key.slice(prefix.length), await readFile(join(root, key), "latin1")] as const);
  return Object.fromEntries(await Promise.all(read));
}

/** Rows that books have, and files: what a refused request must not add to. */
export async function listTraces(place: DocumentPlace): Promise<object> {
  const [rows] = await place.db.query<object>(sql`
    select (select count(*)::integer from book_pages) as pages, (select count(*)::integer from jobs) as jobs,
      (select count(*)::integer from events) as events, (select count(*)::integer from subtopics) as subtopics,
      (select count(*)::integer from books where upload_token is not null) as uploads,
      (select coalesce(sum(next_file), 0)::integer from books) as file_numbers`);
  return { ...rows, files: await listStored(place) };
}

interface Metadata {
  total_pages: number;
  pages: BookPage[];
}

export async function readMetadata(place: Pick<DocumentPlace, "environment">, bookId: string): Promise<Metadata> {
  const files = await readBookFiles(place, bookId);
  return JSON.parse(files["metadata.json"] ?? "null");
}

/** The mirror says of every page what the database says. */
export async function expectMirrored(place: DocumentPlace, client: BookClient, bookId: string): Promise<void> {
  const pages = await client.pages(bookId);
  const mirror = await readMetadata(place, bookId);
  expect(mirror.pages).toEqual(pages);
  expect(mirror.total_pages).toBe(pages.length);
}

/** Whatever the state: the fields, and what one says about the other (seed 000, §8b). */
export function expectCoherent(job: BookJob): void {
  expect(Object.keys(job).sort()).toEqual(Object.keys(BookJob.shape).sort());
  expect(() => BookJob.parse(job)).not.toThrow();
  const ended = job.status !== "pending" && job.status !== "running";
  expect(job.error_message !== null).toBe(job.status === "failed");
  expect(job.completed_at !== null).toBe(ended);
  expect(job.started_at).not.toBeNull();
  if (job.status !== "running") expect(job.current_item).toBeNull();
  if (job.total_items !== null) {
    expect(job.completed_items + job.failed_items).toBeLessThanOrEqual(job.total_items);
  }
  expect(job.completed_items > 0).toBe(job.last_completed_item !== null);
  expect(Object.keys(pageErrors(job))).toHaveLength(job.failed_items);
}

/** Time passes for workers that are gone: nobody has heard of them for three minutes. */
export async function forgetWorkers(db: Database): Promise<void> {
  await db.query(sql`
    update workers set heartbeat_at = heartbeat_at - interval '3 minutes', lease_expires_at = now() - interval '1 minute'
    where lost_at is null`);
}

/** Seed 000's invariants I1 to I6 of a job that has failed, by the pages that are known to be done and to have failed. */
export async function expectInvariants(
  db: Database,
  job: BookJob,
  known: { lastDone: number | null; failedPages: readonly number[] },
): Promise<void> {
  expectCoherent(job);
  expect(job.status).toBe("failed");
  expect(job.error_message).toMatch(/\S{3,}/);
  expect(job.error_message).not.toMatch(/unknown error/i);
  expect(job.completed_at).not.toBeNull();
  expect(job.last_completed_item).toBe(known.lastDone);
  const orphans = await db.query(sql`
    select j.id from jobs j left join workers w on w.id = j.worker_id
    where j.status = 'running' and (w.id is null or w.lost_at is not null)`);
  expect(orphans).toEqual([]);
  expect(Object.keys(pageErrors(job)).map(Number)).toEqual(known.failedPages);
}
