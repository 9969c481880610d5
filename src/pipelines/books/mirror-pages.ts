/**
 * The mirror of a book's pages in storage, for whoever has only the files: written from the database, which is the truth,
 * now and then while a job runs and at its end, and made right whenever a job begins.
 */
import { type Database, type StageContext, sql, type Transaction } from "../../jobs/index.ts";
import type { BlobStore } from "../../storage/blob-store.ts";
import { putText } from "../../storage/blob-text.ts";
import { bookPrefix, metadataKey } from "./blob-keys.ts";
import { listPages, toBookPage } from "./queries/list-pages.ts";

interface MirrorServices {
  db: Database;
  blobs: BlobStore;
}

export function writeMirror({ db, blobs }: MirrorServices, bookId: string, signal?: AbortSignal): Promise<void> {
  return db.transaction((tx) => mirrorPages(tx, blobs, bookId, signal));
}

/** The book is locked until it is written: of two writers the later has seen what the earlier did. */
export async function mirrorPages(
  tx: Transaction,
  blobs: BlobStore,
  bookId: string,
  signal?: AbortSignal,
): Promise<void> {
  const [book] = await tx.query<Record<string, unknown>>(
    sql`select id, title, author, grade, subject, board from books where id = ${bookId} for no key update`,
  );
  if (!book) return;
  const pages = (await listPages(tx, bookId)).map(toBookPage);
  const mirror = { ...book, total_pages: pages.length, pages, last_updated: new Date().toISOString() };
  await putText(blobs, metadataKey(bookId), JSON.stringify(mirror, null, 2), "application/json", signal);
}

const everyPages = 5;
const everyMs = 30_000;

export interface Mirror {
  /** One more page is done: writes, if it is time. That it cannot be written now is no fault of the page's. */
  touch(): Promise<void>;
  write(): Promise<void>;
}

/** At most one write under way: pages that are done meanwhile are in the next. */
export function openMirror(services: MirrorServices, bookId: string, signal: AbortSignal): Mirror {
  let pages = 0;
  let writtenAt = performance.now();
  let writing: Promise<void> = Promise.resolve();
  const write = () => {
    pages = 0;
    writtenAt = performance.now();
    // Whether the last one was written or not: each has all there is to say.
    writing = writing.catch(() => undefined).then(() => writeMirror(services, bookId, signal));
    return writing;
  };
  return {
    async touch() {
      pages++;
      if (pages >= everyPages || performance.now() - writtenAt >= everyMs) await write().catch(() => undefined);
    },
    write,
  };
}

/** Pages that were in the air when a process died wait again; a page said to be done whose text is gone has failed. */
export async function reconcilePages(
  services: MirrorServices,
  bookId: string,
  { fenced, signal }: Pick<StageContext<unknown, unknown>, "fenced" | "signal">,
): Promise<void> {
  const files = new Set<string>();
  for await (const { key } of services.blobs.list(bookPrefix(bookId))) files.add(key);
  // Fenced: for a worker that lost the job meanwhile, the list is from before what others have read since.
  await fenced(async (tx) => {
    await tx.query(
      sql`update book_pages set ocr_status = 'pending' where book_id = ${bookId} and ocr_status = 'processing'`,
    );
    const lost = (await listPages(tx, bookId)).filter(
      ({ ocrStatus, textKey }) => ocrStatus === "completed" && !files.has(textKey ?? ""),
    );
    for (const { id, pageNum } of lost) {
      await tx.query(sql`
        update book_pages set ocr_status = 'failed', ocr_error = ${`OCR text missing from storage (page ${pageNum})`},
          ocr_error_type = 'retryable', text_key = null
        where id = ${id}`);
    }
  });
  await writeMirror(services, bookId, signal);
}
