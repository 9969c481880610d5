/**
 * The lock on a book: whoever changes it holds its row and finds nobody else at work. A job is at work from its creation
 * to its end; an upload from its first byte to its commit, as long as it gives a sign of life.
 */
import { DocmillError } from "../../errors.ts";
import { isUuid, newId, sql, type Transaction } from "../../jobs/index.ts";
import type { BookServices } from "./book-services.ts";

export interface HeldBook {
  id: string;
  nextFile: number;
  pages: number;
}

/** An upload that has not been heard of for so long is over. */
const uploadLease = "60 seconds";

/** Throws NOT_FOUND, and BOOK_BUSY while a job or an upload of someone else's is under way. */
export async function holdBook(tx: Transaction, bookId: string, token: string | null = null): Promise<HeldBook> {
  if (!isUuid(bookId)) throw bookNotFound(bookId);
  const [book] = await tx.query<{ nextFile: number; uploading: boolean }>(sql`
    select next_file, upload_until > now() and upload_token is distinct from ${token}::uuid as uploading
    from books where id = ${bookId} for update`);
  if (!book) throw bookNotFound(bookId);
  const [job] = await tx.query<{ id: string; kind: string; status: string }>(
    sql`select id, kind, status from jobs where lock_key = ${lockKeyOf(bookId)} and status in ('pending', 'running')`,
  );
  if (job) {
    const message = `Job ${job.id} (${job.kind}) is ${job.status} for this book. Wait for it, or cancel it first.`;
    throw new DocmillError("BOOK_BUSY", message, { details: { jobId: job.id, jobType: job.kind } });
  }
  if (book.uploading)
    throw new DocmillError("BOOK_BUSY", "Pages are being uploaded to this book. Wait until they are in.");
  const [counted] = await tx.query<{ pages: number }>(
    sql`select count(*)::integer as pages from book_pages where book_id = ${bookId}`,
  );
  return { id: bookId, nextFile: book.nextFile, pages: counted?.pages ?? 0 };
}

export function lockKeyOf(bookId: string): string {
  return `book:${bookId}`;
}

export function bookNotFound(bookId: string): DocmillError {
  return new DocmillError("NOT_FOUND", `Book not found: ${bookId.slice(0, 100)}`);
}

export interface BookUpload extends HeldBook {
  token: string;
}

type UploadServices = Pick<BookServices, "db" | "limits">;

/**
 * Takes the book for an upload, before anything of it is stored, and as many file numbers as it could need: one that was
 * given up for dead and stores or removes files all the same does so under names that nobody else has.
 */
export function beginUpload({ db, limits }: UploadServices, bookId: string): Promise<BookUpload> {
  return db.transaction(async (tx) => {
    const book = await holdBook(tx, bookId);
    const token = newId();
    await tx.query(sql`
      update books set upload_token = ${token}, upload_until = now() + ${uploadLease}::interval,
        next_file = next_file + ${limits.maxPages}
      where id = ${bookId}`);
    return { ...book, token };
  });
}

/** A sign of life. False if the book was taken by someone else meanwhile. */
export async function renewUpload({ db }: Pick<BookServices, "db">, { id, token }: BookUpload): Promise<boolean> {
  const rows = await db.query(sql`
    update books set upload_until = now() + ${uploadLease}::interval where id = ${id} and upload_token = ${token} returning id`);
  return rows.length > 0;
}

/** For the transaction that commits what was uploaded, and then says which file number comes next. */
export async function takeUpload(tx: Transaction, { id, token, nextFile }: BookUpload): Promise<HeldBook> {
  const book = await holdBook(tx, id, token);
  const mine = await tx.query(
    sql`update books set upload_token = null, upload_until = null where id = ${id} and upload_token = ${token} returning id`,
  );
  if (mine.length === 0) {
    throw new DocmillError(
      "BOOK_BUSY",
      "The upload took too long without a sign of life, and the book was taken by another.",
    );
  }
  return { ...book, nextFile };
}

/** Of one that did not become pages: the book is free, and so are its file numbers. */
export async function endUpload({ db }: Pick<BookServices, "db">, upload: BookUpload): Promise<void> {
  const { id, token, nextFile } = upload;
  await db.query(sql`
    update books set upload_token = null, upload_until = null, next_file = ${nextFile} where id = ${id} and upload_token = ${token}`);
}
