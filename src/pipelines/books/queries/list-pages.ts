/** The pages of a book, in order. */
import type { BookPage } from "../../../contract/books.ts";
import { DocmillError } from "../../../errors.ts";
import type { Format } from "../../../formats/format.ts";
import { type Database, sql } from "../../../jobs/index.ts";

export interface PageRow {
  id: string;
  bookId: string;
  pageNum: number;
  fileNum: number;
  filename: string;
  rawKey: string;
  rawFormat: Format;
  rawPart: number;
  imageKey: string | null;
  textKey: string | null;
  status: BookPage["status"];
  ocrStatus: BookPage["ocr_status"];
  ocrError: string | null;
  ocrErrorType: BookPage["ocr_error_type"];
  uploadedAt: Date;
  approvedAt: Date | null;
}

/** A page counts as being processed only while a job is at work: what a killed one left waits again. */
const columns = sql`
  p.id, p.book_id, p.page_num, p.file_num, p.filename, p.raw_key, p.raw_format, p.raw_part, p.image_key, p.text_key, p.status,
  case when p.ocr_status = 'processing' and not exists (
    select from jobs j where j.lock_key = 'book:' || p.book_id and j.status in ('pending', 'running'))
    then 'pending' else p.ocr_status end as ocr_status,
  p.ocr_error, p.ocr_error_type, p.uploaded_at, p.approved_at`;

export function listPages(db: Pick<Database, "query">, bookId: string): Promise<PageRow[]> {
  return db.query<PageRow>(sql`select ${columns} from book_pages p where p.book_id = ${bookId} order by p.page_num`);
}

/** Throws NOT_FOUND. */
export async function findPage(db: Pick<Database, "query">, bookId: string, pageNum: number): Promise<PageRow> {
  const [page] = await db.query<PageRow>(
    sql`select ${columns} from book_pages p where p.book_id = ${bookId} and p.page_num = ${pageNum}`,
  );
  if (!page) throw new DocmillError("NOT_FOUND", `Page ${pageNum} not found in this book`);
  return page;
}

export function toBookPage(row: PageRow): BookPage {
  return {
    page_num: row.pageNum,
    filename: row.filename,
    raw_image_key: row.rawKey,
    image_key: row.imageKey,
    text_key: row.textKey,
    status: row.status,
    ocr_status: row.ocrStatus,
    ocr_error: row.ocrError,
    ocr_error_type: row.ocrErrorType,
    uploaded_at: row.uploadedAt.toISOString(),
    approved_at: row.approvedAt?.toISOString() ?? null,
  };
}
