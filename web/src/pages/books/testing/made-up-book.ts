/** A made-up book of any number of pages, of which a test names what it is about. */
import type { BookDetail, BookPage } from "../../../../../src/contract/books.ts";
import { makeBook } from "../../home/testing/made-up.ts";

const aMoment = "2031-05-04T10:00:00.000Z";

export const makePage = (page_num: number, page: Partial<BookPage> = {}): BookPage => ({
  page_num,
  filename: `page_${page_num}.jpg`,
  raw_image_key: `raw/${page_num}.jpg`,
  image_key: `${page_num}.png`,
  text_key: `${page_num}.txt`,
  status: "pending_review",
  ocr_status: "completed",
  ocr_error: null,
  ocr_error_type: null,
  uploaded_at: aMoment,
  approved_at: null,
  ...page,
});

export function makePages(count: number, page: Partial<BookPage> = {}): BookPage[] {
  return Array.from({ length: count }, (_, at) => makePage(at + 1, page));
}

export function makeBookOf(pages: BookPage[], jobs: Partial<BookDetail["latest_jobs"]> = {}): BookDetail {
  return {
    ...makeBook({ total_pages: pages.length }),
    pages,
    latest_jobs: { ocr_batch: null, extraction: null, finalization: null, ...jobs },
  };
}
