/** Made-up answers of the server: ordinary ones, of which a test names what it is about. */
import type { BatchSummary } from "../../../../../src/contract/batches.ts";
import type { Book, BookDetail, BookJob, BookJobType } from "../../../../../src/contract/books.ts";
import type { DocumentSummary } from "../../../../../src/contract/documents.ts";
import type { JobSummary } from "../../../../../src/contract/jobs.ts";

const aMoment = "2031-05-04T10:00:00.000Z";

export const makeJob = (job: Partial<JobSummary>): JobSummary => ({
  id: "job",
  kind: "document",
  status: "running",
  priority: 0,
  batchId: null,
  sequence: null,
  parentId: null,
  lockKey: null,
  attempts: 1,
  maxAttempts: 3,
  stage: null,
  totalItems: null,
  completedItems: 0,
  failedItems: 0,
  currentItem: null,
  lastCompletedItem: null,
  message: null,
  createdAt: aMoment,
  runAt: aMoment,
  startedAt: aMoment,
  heartbeatAt: null,
  completedAt: null,
  errorCode: null,
  errorMessage: null,
  lastEventId: 1,
  ...job,
});

export const makeDocument = (document: Partial<DocumentSummary>): DocumentSummary => ({
  id: "document",
  filename: "report.pdf",
  title: null,
  contentType: "application/pdf",
  format: "pdf",
  size: 1_000,
  sha256: null,
  sourceUrl: null,
  status: "Processing",
  stage: "extracting",
  progress: { totalItems: 10, completedItems: 4, failedItems: 0, message: null },
  jobId: "job",
  pageCount: 10,
  chunkCount: 0,
  fieldCount: 0,
  tableCount: 0,
  errorCode: null,
  errorMessage: null,
  createdAt: aMoment,
  processedAt: null,
  ...document,
});

export const makeBatch = (batch: Partial<BatchSummary>): BatchSummary => ({
  id: "batch",
  swimmerName: "Runa Elmford",
  status: "running",
  totalJobs: 15,
  completedJobs: 0,
  failedJobs: 0,
  lastEventId: 1,
  createdAt: aMoment,
  startedAt: aMoment,
  completedAt: null,
  expiresAt: aMoment,
  ...batch,
});

export const makeBook = (book: Partial<Book>): Book => ({
  id: "book",
  title: "Work Made Easy",
  author: null,
  grade: null,
  subject: null,
  board: null,
  total_pages: 10,
  created_at: aMoment,
  ...book,
});

export const makeBookJob = (job: Partial<BookJob>): BookJob => ({
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
  started_at: aMoment,
  completed_at: null,
  error_message: null,
  ...job,
});

/** A book whose latest jobs are in the states named. */
export function makeBookWith(states: Partial<Record<BookJobType, BookJob["status"]>>): BookDetail {
  const jobOf = (type: BookJobType): BookJob | null => {
    const status = states[type];
    return status ? makeBookJob({ job_id: type, job_type: type, status }) : null;
  };
  return {
    ...makeBook({}),
    pages: [],
    latest_jobs: {
      ocr_batch: jobOf("ocr_batch"),
      extraction: jobOf("extraction"),
      finalization: jobOf("finalization"),
    },
  };
}
