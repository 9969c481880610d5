/** Extraction's own loop over the pages of a book, by rules, on a real database: what a job does, without the job. */
import { newId, sql } from "../../../src/jobs/index.ts";
import type { BookServices } from "../../../src/pipelines/books/book-services.ts";
import { gatherContext } from "../../../src/pipelines/books/gather-context.ts";
import { placePage } from "../../../src/pipelines/books/place-page.ts";
import { listPages } from "../../../src/pipelines/books/queries/list-pages.ts";
import { listSubtopics, type SubtopicRow } from "../../../src/pipelines/books/queries/list-subtopics.ts";
import { savePageGuideline } from "../../../src/pipelines/books/queries/save-page-guideline.ts";
import { rulesAuthor } from "../../../src/pipelines/books/write-with-rules.ts";
import type { CallContext } from "../../../src/providers/call-context.ts";

export async function extractBook(
  services: Pick<BookServices, "db" | "embedder">,
  pages: readonly string[],
): Promise<SubtopicRow[]> {
  const { db } = services;
  const bookId = newId();
  const rows = pages.map((_, index) => ({ id: newId(), num: index + 1 }));
  await db.query(sql`insert into books (id, title) values (${bookId}, 'Bench')`);
  await db.query(sql`
    insert into book_pages (id, book_id, page_num, file_num, filename, raw_key, raw_format)
    select id, ${bookId}, num, num, '', '', 'png'
    from json_to_recordset(${JSON.stringify(rows)}) as p (id uuid, num integer)`);
  const call: CallContext = {
    signal: new AbortController().signal,
    remember: () => Promise.reject(new Error("rules make no paid calls")),
  };
  for (const page of await listPages(db, bookId)) {
    const context = await gatherContext(services, page, pages[page.pageNum - 1] ?? "", call);
    const read = await rulesAuthor.read(context, call);
    const placed = await placePage({ db, author: rulesAuthor }, page, context, read, call);
    await db.transaction((tx) => savePageGuideline(tx, page, placed));
  }
  return listSubtopics(db, bookId);
}
