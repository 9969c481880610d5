/**
 * Scans become pages of a book. The book is held before anything is stored; a request that is refused, or whose connection
 * breaks, leaves no file, no page and no row behind.
 */
import type { IncomingMessage } from "node:http";
import type { BulkUploaded, PageWithText } from "../../contract/books.ts";
import { isConnectionError } from "../../db/database.ts";
import { sql } from "../../db/sql.ts";
import { DocmillError } from "../../errors.ts";
import { imageKey, textKey } from "../../pipelines/books/blob-keys.ts";
import type { Books } from "../../pipelines/books/books.ts";
import type { BookUpload } from "../../pipelines/books/hold-book.ts";
import { type StoredScan, storeScan } from "../../pipelines/books/store-scan.ts";
import { withUpload } from "../../pipelines/books/with-upload.ts";
import { receiveUpload } from "./receive-upload.ts";

export function takeManyPages(incoming: IncomingMessage, books: Books, bookId: string): Promise<BulkUploaded> {
  const { maxFilesPerUpload: most } = books.services.limits;
  return takeScans(incoming, books, bookId, { most, adds: true }, (upload, scans) =>
    books.pages.addMany(upload, scans),
  );
}

export function takeOnePage(
  incoming: IncomingMessage,
  books: Books,
  bookId: string,
  signal: AbortSignal,
): Promise<PageWithText> {
  return takeScans(incoming, books, bookId, { most: 1, adds: true }, (upload, [scan]) =>
    books.pages.addOne(upload, scan as StoredScan, signal),
  );
}

export function takeReplacement(
  incoming: IncomingMessage,
  books: Books,
  bookId: string,
  pageNum: number,
  signal: AbortSignal,
): Promise<PageWithText> {
  return takeScans(incoming, books, bookId, { most: 1, adds: false }, (upload, [scan]) =>
    books.pages.replace(upload, pageNum, scan as StoredScan, signal),
  );
}

function takeScans<Result>(
  incoming: IncomingMessage,
  { services }: Books,
  bookId: string,
  { most, adds }: { most: number; adds: boolean },
  add: (upload: BookUpload, scans: readonly StoredScan[]) => Promise<Result>,
): Promise<Result> {
  const { blobs, limits } = services;
  return withUpload(services, bookId, async (upload, lost) => {
    if (adds && upload.pages >= limits.maxPages) {
      throw new DocmillError(
        "TOO_MANY_BOOK_PAGES",
        `The book has ${upload.pages} pages, which is the most it may have.`,
      );
    }
    const discard = (scans: readonly StoredScan[]) => blobs.delete(scans.map(({ rawKey }) => rawKey));
    const { files } = await receiveUpload<StoredScan>(incoming, {
      maxFiles: most,
      nameless: "page",
      store(source, filename, place, signal) {
        const fileNum = upload.nextFile + place;
        const either = AbortSignal.any([signal, lost]);
        const { maxImageBytes: maxBytes } = limits;
        return storeScan(source, { blobs, bookId, fileNum, filename, maxBytes, signal: either });
      },
      discard,
    }).catch((error: unknown) => {
      throw isTooMany(error) ? new DocmillError("TOO_MANY_IMAGES", `Max ${most} files per upload`) : error;
    });
    const scans = files.map(({ stored }) => stored);
    try {
      if (scans.length === 0) throw new DocmillError("NO_IMAGES", "No images provided");
      lost.throwIfAborted();
      return await add(upload, scans);
    } catch (error) {
      // After a lost connection nobody knows whether the pages are in; files that belong to none are swept up later.
      if (!(error instanceof Error && isConnectionError(error))) await discardUnused(services, upload, scans);
      throw error;
    }
  });
}

/** Whatever failed: what has become a page's stays, and what was made of the others goes with them. */
async function discardUnused(
  { db, blobs }: Books["services"],
  { id, nextFile }: BookUpload,
  scans: readonly StoredScan[],
): Promise<void> {
  const rows = await db.query<{ rawKey: string }>(
    sql`select raw_key from book_pages where raw_key = any (${scans.map(({ rawKey }) => rawKey)}::text[])`,
  );
  if (rows.length > 0) return;
  const made = scans.flatMap((_, at) => [imageKey(id, nextFile + at), textKey(id, nextFile + at)]);
  await blobs.delete([...scans.map(({ rawKey }) => rawKey), ...made]);
}

function isTooMany(error: unknown): boolean {
  return error instanceof DocmillError && error.code === "TOO_MANY_FILES";
}
