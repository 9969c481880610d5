/**
 * What people do to the pages of a book: bring them in, have one read again, correct, replace, approve and remove them. Each
 * holds the book while it writes; what it has stored goes again if the book turns out to be someone else's.
 */
import type { BulkUploaded, PageWithText } from "../../contract/books.ts";
import { DocmillError } from "../../errors.ts";
import { type Engine, newId, sql, type Transaction } from "../../jobs/index.ts";
import type { CallContext } from "../../providers/call-context.ts";
import { putText, readText } from "../../storage/blob-text.ts";
import { refreshGuidelineFiles } from "./artifacts.ts";
import { imageKey, pageGuidelineKey, textKey } from "./blob-keys.ts";
import type { BookServices } from "./book-services.ts";
import { type BookUpload, holdBook, takeUpload } from "./hold-book.ts";
import { findSubtopicOf, letGoOfPages, rewriteSubtopics } from "./let-go-of-pages.ts";
import { mirrorPages, writeMirror } from "./mirror-pages.ts";
import type { BookPipelines } from "./pipeline.ts";
import { findPage, type PageRow, toBookPage } from "./queries/list-pages.ts";
import { saveScan, saveScanFailure } from "./queries/save-scan.ts";
import { type PageScan, type ScannedText, scanPage } from "./scan-page.ts";
import type { StoredScan } from "./store-scan.ts";
import { withUpload } from "./with-upload.ts";

export interface PageActions {
  /** Scans that are in storage become pages, in the natural order of their names, and a job reads them. */
  addMany(upload: BookUpload, scans: readonly StoredScan[]): Promise<BulkUploaded>;
  /** One scan becomes a page, read before the answer. */
  addOne(upload: BookUpload, scan: StoredScan, signal: AbortSignal): Promise<PageWithText>;
  /** Another scan for a page, read before the answer. */
  replace(upload: BookUpload, pageNum: number, scan: StoredScan, signal: AbortSignal): Promise<PageWithText>;
  retryOcr(bookId: string, pageNum: number, signal: AbortSignal): Promise<PageWithText>;
  editText(bookId: string, pageNum: number, text: string): Promise<void>;
  approve(bookId: string, pageNum: number): Promise<void>;
  /** Every page whose text is there; answers their numbers. */
  approveAll(bookId: string): Promise<number[]>;
  /** The pages behind it move up. Answers how many are left. */
  delete(bookId: string, pageNum: number): Promise<number>;
}

export interface PageActionsOptions {
  engine: Engine;
  services: Pick<BookServices, "db" | "blobs" | "reader" | "ocr" | "limits">;
  pipelines: Pick<BookPipelines, "ocr">;
}

interface ScanPart {
  scan: StoredScan;
  part: number;
}

export function createPageActions({ engine, services, pipelines }: PageActionsOptions): PageActions {
  const { db, blobs, reader, limits } = services;

  return {
    async addMany(upload, scans) {
      const parts: ScanPart[] = [];
      for (const scan of inNaturalOrder(scans)) parts.push(...(await splitParts(scan)));
      refuseTooMany(upload.pages + parts.length);
      const { id: bookId } = upload;
      const added = await db.transaction(async (tx) => {
        const { nextFile, pages } = await takeUpload(tx, upload);
        const rows = parts.map(({ scan, part }, index) =>
          newPage(bookId, pages + index + 1, nextFile + index, scan, part),
        );
        await insertPages(tx, rows, nextFile + Math.max(parts.length, scans.length));
        const input = { bookId, pageIds: rows.map(({ id }) => id) };
        const job = await engine.enqueue(pipelines.ocr.job(input), { tx });
        // Before the commit: from then on the job writes it.
        await mirrorPages(tx, blobs, bookId);
        return { jobId: job.id, numbers: rows.map(({ page_num }) => page_num) };
      });
      engine.announce(pipelines.ocr);
      return {
        job_id: added.jobId,
        pages_uploaded: added.numbers,
        total_pages: added.numbers.length,
        status: "processing",
        message: `Uploaded ${added.numbers.length} raw images. Conversion + OCR processing in background.`,
      };
    },

    async addOne(upload, scan, signal) {
      const { id: bookId, nextFile, pages } = upload;
      const [only, second] = await splitParts(scan);
      if (!only || second) throw severalPages(scan);
      refuseTooMany(pages + 1);
      const row = newPage(bookId, pages + 1, nextFile, scan, 1);
      const read = await readScan(toScan(row), signal);
      await db.transaction(async (tx) => {
        await takeUpload(tx, upload);
        await insertPages(tx, [row], nextFile + 1);
        await saveOutcome(tx, row.id, read);
      });
      await tidyFiles(bookId);
      return showPage(bookId, row.page_num);
    },

    async replace(upload, pageNum, scan, signal) {
      const { id: bookId, nextFile } = upload;
      const old = await findPage(db, bookId, pageNum);
      const [only, second] = await splitParts(scan);
      if (!only || second) throw severalPages(scan);
      const read = await readScan(toScan(newPage(bookId, pageNum, nextFile, scan, 1)), signal);
      await db.transaction(async (tx) => {
        await takeUpload(tx, upload);
        await tx.query(sql`
          update book_pages set file_num = ${nextFile}, filename = ${scan.filename}, raw_key = ${scan.rawKey}, raw_format = ${scan.format},
            raw_part = 1, image_key = null, text_key = null, ocr_status = 'pending', ocr_error = null, ocr_error_type = null,
            status = 'pending_review', approved_at = null, uploaded_at = now()
          where id = ${old.id}`);
        await tx.query(sql`update books set next_file = ${nextFile + 1} where id = ${bookId}`);
        await saveOutcome(tx, old.id, read);
        await letGoOfPages(tx, bookId, [old.id]);
      });
      await tidyFiles(bookId, old);
      return showPage(bookId, pageNum);
    },

    async retryOcr(bookId, pageNum, signal) {
      // Held like an upload: a text that someone corrects meanwhile would be overwritten.
      const failure = await withUpload(services, bookId, async (upload, lost) => {
        const page = await findPage(db, bookId, pageNum);
        const read = await readScan(page, AbortSignal.any([signal, lost]));
        const failed = read instanceof DocmillError ? read : undefined;
        await db.transaction(async (tx) => {
          const { nextFile } = await takeUpload(tx, upload);
          await tx.query(sql`update books set next_file = ${nextFile} where id = ${bookId}`);
          // A page that has its text keeps it if this time it could not be read.
          if (failed && page.ocrStatus === "completed") return;
          await saveOutcome(tx, page.id, read);
          await tx.query(
            sql`update book_pages set status = 'pending_review', approved_at = null where id = ${page.id}`,
          );
          await letGoOfPages(tx, bookId, [page.id]);
        });
        return failed;
      });
      await tidyFiles(bookId);
      const shown = await showPage(bookId, pageNum);
      return failure ? { ...shown, ocr_error: failure.message } : shown;
    },

    async editText(bookId, pageNum, text) {
      if (text.trim() === "") throw new DocmillError("EMPTY_PAGE_TEXT", "A page's text cannot be empty.");
      await db.transaction(async (tx) => {
        await holdBook(tx, bookId);
        const page = await findPage(tx, bookId, pageNum);
        const key = textKey(bookId, page.fileNum);
        // Inside the transaction: the book is held until the text and its row agree.
        await putText(blobs, key, text, "text/plain; charset=utf-8");
        await tx.query(sql`
          update book_pages set text_key = ${key}, ocr_status = 'completed', ocr_error = null, ocr_error_type = null
          where id = ${page.id}`);
        await letGoOfPages(tx, bookId, [page.id]);
      });
      await tidyFiles(bookId);
    },

    async approve(bookId, pageNum) {
      await db.transaction(async (tx) => {
        await holdBook(tx, bookId);
        const page = await findPage(tx, bookId, pageNum);
        if (page.ocrStatus !== "completed") {
          throw new DocmillError("PAGE_NOT_READ", `Page ${pageNum} has no text yet, so there is nothing to approve.`);
        }
        await tx.query(sql`
          update book_pages set status = 'approved', approved_at = coalesce(approved_at, now()) where id = ${page.id}`);
      });
      await tidyFiles(bookId);
    },

    async approveAll(bookId) {
      const rows = await db.transaction(async (tx) => {
        await holdBook(tx, bookId);
        return tx.query<{ pageNum: number }>(sql`
          update book_pages set status = 'approved', approved_at = now()
          where book_id = ${bookId} and ocr_status = 'completed' and status <> 'approved' returning page_num`);
      });
      await tidyFiles(bookId);
      return rows.map(({ pageNum }) => pageNum).sort((a, b) => a - b);
    },

    async delete(bookId, pageNum) {
      const { page, left } = await db.transaction(async (tx) => {
        const book = await holdBook(tx, bookId);
        const found = await findPage(tx, bookId, pageNum);
        const shrunk = new Set(await findSubtopicOf(tx, found.id));
        await tx.query(sql`delete from book_pages where id = ${found.id}`);
        await tx.query(sql`
          update book_pages set page_num = page_num - 1 where book_id = ${bookId} and page_num > ${pageNum}`);
        await rewriteSubtopics(tx, bookId, shrunk, true);
        return { page: found, left: book.pages - 1 };
      });
      await tidyFiles(bookId, page);
      return left;
    },
  };

  function refuseTooMany(pages: number): void {
    if (pages <= limits.maxPages) return;
    throw new DocmillError(
      "TOO_MANY_BOOK_PAGES",
      `A book may have ${limits.maxPages} pages; this would make ${pages}.`,
    );
  }

  /** A TIFF may hold several pages. One that is broken is a page that will fail. */
  async function splitParts(scan: StoredScan): Promise<ScanPart[]> {
    if (scan.format !== "tiff") return [{ scan, part: 1 }];
    const open = (path: string) => reader.open({ path, format: "tiff" }, AbortSignal.timeout(60_000));
    const { parts } = await blobs.withFile(scan.rawKey, open).catch((error: unknown) => {
      // Anything but a broken file must not pass for one: its other pages would be lost without a word.
      if (!(error instanceof DocmillError) || error.retryable) throw error;
      if (error.code !== "TOO_MANY_PAGES") return { parts: 1 };
      throw new DocmillError("TOO_MANY_BOOK_PAGES", `${scan.filename}: ${error.message}`, { cause: error });
    });
    return Array.from({ length: parts }, (_, index) => ({ scan, part: index + 1 }));
  }

  async function readScan(scan: PageScan, signal: AbortSignal): Promise<ScannedText | DocmillError> {
    const call: CallContext = { signal, remember: (paid) => engine.remember(paid, signal) };
    return scanPage(services, scan, call).catch((error: unknown) => {
      signal.throwIfAborted();
      if (error instanceof DocmillError) return error;
      throw error;
    });
  }

  async function showPage(bookId: string, pageNum: number): Promise<PageWithText> {
    const page = await findPage(db, bookId, pageNum);
    return { ...toBookPage(page), ocr_text: page.textKey === null ? null : await readText(blobs, page.textKey) };
  }

  /**
   * What follows a commit in storage. The commit is what counts: files that cannot be written now are written when the
   * next job begins, and what cannot be removed is swept up.
   */
  async function tidyFiles(bookId: string, gone?: PageRow): Promise<void> {
    const steps = [
      () => (gone ? removeFiles(gone) : Promise.resolve()),
      () => writeMirror(services, bookId),
      () => refreshGuidelineFiles(services, bookId),
    ];
    for (const step of steps) await step().catch(() => undefined);
  }

  /** A file of several pages stays until the last of them is gone. */
  async function removeFiles({ bookId, fileNum, rawKey: raw }: PageRow): Promise<void> {
    const [shared] = await db.query(sql`select from book_pages where raw_key = ${raw} limit 1`);
    const own = [imageKey(bookId, fileNum), textKey(bookId, fileNum), pageGuidelineKey(bookId, fileNum)];
    await blobs.delete(shared ? own : [raw, ...own]);
  }
}

async function saveOutcome(tx: Transaction, pageId: string, read: ScannedText | DocmillError): Promise<void> {
  if (!(read instanceof DocmillError)) return saveScan(tx, pageId, read);
  const { message, retryable } = read;
  await saveScanFailure(tx, pageId, { error: message, error_type: retryable ? "retryable" : "terminal" });
}

interface NewPageRow {
  id: string;
  book_id: string;
  page_num: number;
  file_num: number;
  filename: string;
  raw_key: string;
  raw_format: StoredScan["format"];
  raw_part: number;
}

function newPage(bookId: string, pageNum: number, fileNum: number, scan: StoredScan, part: number): NewPageRow {
  return {
    id: newId(),
    book_id: bookId,
    page_num: pageNum,
    file_num: fileNum,
    filename: scan.filename,
    raw_key: scan.rawKey,
    raw_format: scan.format,
    raw_part: part,
  };
}

function toScan({ book_id, file_num, raw_key, raw_format, raw_part }: NewPageRow): PageScan {
  return { bookId: book_id, fileNum: file_num, rawKey: raw_key, rawFormat: raw_format, rawPart: raw_part };
}

async function insertPages(tx: Transaction, rows: readonly NewPageRow[], nextFile: number): Promise<void> {
  await tx.query(sql`
    insert into book_pages (id, book_id, page_num, file_num, filename, raw_key, raw_format, raw_part)
    select id, book_id, page_num, file_num, filename, raw_key, raw_format, raw_part
    from json_to_recordset(${JSON.stringify(rows)}) as p (id uuid, book_id uuid, page_num integer, file_num integer, filename text,
      raw_key text, raw_format text, raw_part integer)`);
  await tx.query(sql`update books set next_file = ${nextFile} where id = ${rows[0]?.book_id}`);
}

const byName = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

/** page_2 before page_10. */
function inNaturalOrder(scans: readonly StoredScan[]): StoredScan[] {
  return scans.toSorted((a, b) => byName.compare(a.filename, b.filename));
}

function severalPages({ filename }: StoredScan): DocmillError {
  return new DocmillError("SEVERAL_PAGES", `${filename} has several pages. Upload it in bulk.`);
}
