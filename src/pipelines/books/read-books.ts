/** Books as `/admin/books` gives them, with their pages and guidelines. */
import type { Book, BookPage, Guidelines, ListedBook, PageWithText, Subtopic } from "../../contract/books.ts";
import { DocmillError } from "../../errors.ts";
import { type Database, isUuid, sql } from "../../jobs/index.ts";
import { readText } from "../../storage/blob-text.ts";
import type { BookServices } from "./book-services.ts";
import { bookNotFound } from "./hold-book.ts";
import { findPage, listPages, toBookPage } from "./queries/list-pages.ts";
import { listSubtopics, toSubtopic, toTopics } from "./queries/list-subtopics.ts";
import { readLatestJobs } from "./read-book-jobs.ts";

interface BookRow extends Omit<Book, "total_pages" | "created_at"> {
  totalPages: number;
  createdAt: Date;
}

const columns = sql`
  b.id, b.title, b.author, b.grade, b.subject, b.board, b.created_at,
  (select count(*)::integer from book_pages p where p.book_id = b.id) as total_pages`;

function toBook({ totalPages, createdAt, ...book }: BookRow): Book {
  return { ...book, total_pages: totalPages, created_at: createdAt.toISOString() };
}

/** Newest first, each with what was last done with it. */
export async function readBookList(db: Database): Promise<ListedBook[]> {
  const [rows, jobs] = await Promise.all([
    db.query<BookRow>(sql`select ${columns} from books b order by b.created_at desc, b.id desc`),
    readLatestJobs(db),
  ]);
  const latest = new Map(jobs.map((job) => [job.book_id, job]));
  return rows.map((row) => ({ ...toBook(row), latest_job: latest.get(row.id) ?? null }));
}

/** Throws NOT_FOUND. */
export async function readBook(db: Database, bookId: string): Promise<Book> {
  const [row] = isUuid(bookId)
    ? await db.query<BookRow>(sql`select ${columns} from books b where b.id = ${bookId}`)
    : [];
  if (!row) throw bookNotFound(bookId);
  return toBook(row);
}

export async function readPages(db: Database, bookId: string): Promise<BookPage[]> {
  return (await listPages(db, bookId)).map(toBookPage);
}

/** Throws NOT_FOUND. */
export async function readPage(
  { db, blobs }: Pick<BookServices, "db" | "blobs">,
  bookId: string,
  pageNum: number,
): Promise<PageWithText> {
  await readBook(db, bookId);
  const page = await findPage(db, bookId, pageNum);
  const text = page.textKey === null ? null : await readText(blobs, page.textKey).catch(orMissing);
  return { ...toBookPage(page), ocr_text: text };
}

/** The files of a book may have been tampered with; its rows are shown all the same. */
function orMissing(error: unknown): null {
  if ((error as { code?: unknown }).code === "BLOB_NOT_FOUND") return null;
  throw error;
}

/** Throws NOT_FOUND. */
export async function readGuidelines(db: Database, bookId: string): Promise<Guidelines> {
  await readBook(db, bookId);
  const rows = await listSubtopics(db, bookId);
  return { book_id: bookId, total_subtopics: rows.length, topics: toTopics(rows) };
}

/** By its id or its key. Throws NOT_FOUND. */
export async function readSubtopic(db: Database, bookId: string, subtopic: string): Promise<Subtopic> {
  await readBook(db, bookId);
  const row = (await listSubtopics(db, bookId)).find(
    ({ id, subtopicKey }) => id === subtopic || subtopicKey === subtopic,
  );
  if (!row) throw new DocmillError("NOT_FOUND", `Subtopic not found: ${subtopic.slice(0, 100)}`);
  return toSubtopic(row);
}
