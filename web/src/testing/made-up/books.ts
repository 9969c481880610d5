/** Made-up books, of which a test names what it is about. */
import type { Book, BookDetail, BookJob, BookJobType, BookPage } from "../../../../src/contract/books.ts";

const time = "2031-05-04T10:00:00.000Z";

export function makeBook(given: Partial<Book> = {}): Book {
  return {
    id: "book",
    title: "Work Made Easy",
    author: null,
    grade: null,
    subject: null,
    board: null,
    total_pages: 10,
    created_at: time,
    ...given,
  };
}

export function makeBookJob(given: Partial<BookJob> = {}): BookJob {
  return {
    job_id: "job",
    book_id: "book",
    job_type: "ocr_batch",
    status: "completed",
    total_items: 10,
    completed_items: 10,
    failed_items: 0,
    current_item: null,
    last_completed_item: null,
    progress_detail: null,
    heartbeat_at: null,
    started_at: time,
    completed_at: null,
    error_message: null,
    ...given,
  };
}

/** Guidelines being written: the 79th page of a hundred. */
export function makeExtraction(given: Partial<BookJob> = {}): BookJob {
  return makeBookJob({
    job_type: "extraction",
    status: "running",
    total_items: 100,
    completed_items: 78,
    failed_items: 1,
    current_item: 79,
    last_completed_item: 78,
    ...given,
  });
}

/** A page that has been read, and that nobody has looked at. */
export function makePage(page_num: number, given: Partial<BookPage> = {}): BookPage {
  return {
    page_num,
    filename: `page_${page_num}.jpg`,
    raw_image_key: `raw/${page_num}.jpg`,
    image_key: `${page_num}.png`,
    text_key: `${page_num}.txt`,
    status: "pending_review",
    ocr_status: "completed",
    ocr_error: null,
    ocr_error_type: null,
    uploaded_at: time,
    approved_at: null,
    ...given,
  };
}

export function makePages(count: number, given: Partial<BookPage> = {}): BookPage[] {
  return Array.from({ length: count }, (_, place) => makePage(place + 1, given));
}

export function makeBookOf(pages: BookPage[], jobs: Partial<BookDetail["latest_jobs"]> = {}): BookDetail {
  return {
    ...makeBook({ total_pages: pages.length }),
    pages,
    latest_jobs: { ocr_batch: null, extraction: null, finalization: null, ...jobs },
  };
}

/** A book of ten pages whose latest jobs are in the states named. */
export function makeBookWith(states: Partial<Record<BookJobType, BookJob["status"]>>): BookDetail {
  const jobOf = (type: BookJobType): BookJob | null => {
    const status = states[type];
    return status ? makeBookJob({ job_id: type, job_type: type, status }) : null;
  };
  return makeBookOf(makePages(10), {
    ocr_batch: jobOf("ocr_batch"),
    extraction: jobOf("extraction"),
    finalization: jobOf("finalization"),
  });
}
