/** What people do to a book as a whole: begin and remove it, and start its jobs. */
import type { GenerateRequest, NewBook, StartedJob } from "../../contract/books.ts";
import { DocmillError } from "../../errors.ts";
import { type Engine, newId, sql, type Transaction } from "../../jobs/index.ts";
import { bookPrefix } from "./blob-keys.ts";
import type { BookServices } from "./book-services.ts";
import { holdBook } from "./hold-book.ts";
import { letGoOfPages } from "./let-go-of-pages.ts";
import { writeMirror } from "./mirror-pages.ts";
import type { BookPipelines } from "./pipeline.ts";
import { listPages, type PageRow } from "./queries/list-pages.ts";

export interface BookActions {
  /** Under an id that was chosen beforehand, it is there once, however often it is created. */
  create(book: NewBook, id?: string): Promise<string>;
  /** With everything that was made of it. Throws BOOK_BUSY. */
  delete(bookId: string): Promise<void>;
  /** All pages whose text is not there, as a new OCR job. */
  retryFailed(bookId: string): Promise<StartedJob>;
  generate(bookId: string, request: GenerateRequest): Promise<StartedJob>;
  finalize(bookId: string, autoSync: boolean): Promise<StartedJob>;
}

export interface BookActionsOptions {
  engine: Engine;
  services: Pick<BookServices, "db" | "blobs">;
  pipelines: BookPipelines;
}

export function createBookActions({ engine, services, pipelines }: BookActionsOptions): BookActions {
  const { db, blobs } = services;

  return {
    async create({ title, author, grade, subject, board }, id = newId()) {
      await db.query(sql`
        insert into books (id, title, author, grade, subject, board)
        values (${id}, ${title}, ${author ?? null}, ${grade ?? null}, ${subject ?? null}, ${board ?? null})
        on conflict (id) do nothing`);
      return id;
    },

    async delete(bookId) {
      await db.transaction(async (tx) => {
        await holdBook(tx, bookId);
        await tx.query(sql`delete from books where id = ${bookId}`);
      });
      const keys: string[] = [];
      for await (const { key } of blobs.list(bookPrefix(bookId))) keys.push(key);
      await blobs.delete(keys);
    },

    async retryFailed(bookId) {
      const started = await db.transaction(async (tx) => {
        await holdBook(tx, bookId);
        const pages = (await listPages(tx, bookId)).filter(({ ocrStatus }) => ocrStatus !== "completed");
        if (pages.length === 0) return nothingLeft("Every page has its text already");
        const input = { bookId, pageIds: pages.map(({ id }) => id) };
        const job = await engine.enqueue(pipelines.ocr.job(input), { tx });
        return toStarted(job.id, pages, `OCR started again for ${pages.length} pages`);
      });
      if (started.job_id !== null) engine.announce(pipelines.ocr);
      // The job that read the last page may have died before it wrote the mirror.
      else await writeMirror(services, bookId);
      return started;
    },

    async generate(bookId, { start_page, end_page, resume, auto_sync_to_db: autoSync }) {
      const started = await db.transaction(async (tx) => {
        await holdBook(tx, bookId);
        const pages = await listPages(tx, bookId);
        const range = chooseRange(pages, start_page ?? 1, end_page ?? pages.length);
        // What is approved is left alone, and so are its pages.
        if (!resume)
          await letGoOfPages(
            tx,
            bookId,
            range.map(({ id }) => id),
          );
        const wanted = await withoutGuideline(tx, bookId, range);
        if (wanted.length === 0 && !(await wasBrokenOff(tx, bookId))) return nothingLeft("All pages already processed");
        const input = { bookId, pageIds: wanted.map(({ id }) => id), autoSync };
        const job = await engine.enqueue(pipelines.extraction.job(input), { tx });
        const [first, last] = [wanted[0]?.pageNum, wanted.at(-1)?.pageNum];
        const what = first === undefined ? "the files of pages that are done" : `pages ${first}-${last}`;
        return toStarted(job.id, wanted, `Guideline generation started for ${what}`);
      });
      if (started.job_id !== null) engine.announce(pipelines.extraction);
      return started;
    },

    async finalize(bookId, autoSync) {
      const started = await db.transaction(async (tx) => {
        await holdBook(tx, bookId);
        const [counted] = await tx.query<{ subtopics: number }>(
          sql`select count(*)::integer as subtopics from subtopics where book_id = ${bookId}`,
        );
        const subtopics = counted?.subtopics ?? 0;
        if (subtopics === 0) {
          throw new DocmillError("NO_GUIDELINES", "This book has no guidelines yet. Generate them first.");
        }
        const job = await engine.enqueue(pipelines.finalization.job({ bookId, autoSync }), { tx });
        const message = `Finalization started for ${subtopics} subtopics`;
        return { ...toStarted(job.id, [], message), total_pages: subtopics };
      });
      engine.announce(pipelines.finalization);
      return started;
    },
  };
}

function chooseRange(pages: readonly PageRow[], start: number, end: number): PageRow[] {
  if (pages.length === 0) throw new DocmillError("NO_BOOK_PAGES", "No pages uploaded for this book");
  if (start < 1 || start > end || end > pages.length) {
    const message = `There is no range of pages from ${start} to ${end}: the book has ${pages.length} pages.`;
    throw new DocmillError("INVALID_PAGE_RANGE", message);
  }
  return pages.filter(({ pageNum }) => pageNum >= start && pageNum <= end);
}

async function withoutGuideline(tx: Transaction, bookId: string, pages: readonly PageRow[]): Promise<PageRow[]> {
  const rows = await tx.query<{ pageId: string }>(sql`select page_id from page_guidelines where book_id = ${bookId}`);
  const done = new Set(rows.map(({ pageId }) => pageId));
  return pages.filter(({ id }) => !done.has(id));
}

/** Whether the last extraction did not come to its end: after its pages there are files to write, and rows to hand on. */
async function wasBrokenOff(tx: Transaction, bookId: string): Promise<boolean> {
  const [last] = await tx.query<{ status: string }>(sql`
    select status from jobs where kind = 'extraction' and input ->> 'bookId' = ${bookId} order by id desc limit 1`);
  return last !== undefined && last.status !== "completed";
}

function toStarted(jobId: string, pages: readonly PageRow[], message: string): StartedJob {
  return {
    job_id: jobId,
    status: "started",
    start_page: pages[0]?.pageNum ?? null,
    end_page: pages.at(-1)?.pageNum ?? null,
    total_pages: pages.length,
    message,
  };
}

function nothingLeft(message: string): StartedJob {
  return { job_id: null, status: "already_complete", start_page: null, end_page: null, total_pages: 0, message };
}
