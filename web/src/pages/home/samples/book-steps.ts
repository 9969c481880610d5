/** The three steps of a book, and where one is: told from its latest jobs and nothing else. */
import type { BookDetail, BookJob } from "../../../../../src/contract/books.ts";
import { approveAllPages, finalizeGuidelines, generateGuidelines, retryFailedPages } from "../../../api/books.ts";

export const bookSteps = ["reading", "writing", "finishing"] as const;
export type BookStep = (typeof bookSteps)[number];

export interface BookPlace {
  step: BookStep;
  /** The job that does it; null while it has not been started. */
  job: BookJob | null;
}

export function placeOfBook({ latest_jobs }: Pick<BookDetail, "latest_jobs">): BookPlace {
  const { ocr_batch, extraction, finalization } = latest_jobs;
  if (finalization) return { step: "finishing", job: finalization };
  if (extraction?.status === "completed") return { step: "finishing", job: null };
  if (extraction) return { step: "writing", job: extraction };
  if (ocr_batch?.status === "completed") return { step: "writing", job: null };
  return { step: "reading", job: ocr_batch };
}

/** What has to be started now. Reading starts with the upload; what failed or was cancelled waits for a person. */
export function dueStep(book: Pick<BookDetail, "latest_jobs">): BookStep | null {
  const { step, job } = placeOfBook(book);
  return job === null && step !== "reading" ? step : null;
}

/** Starting a step twice, from two tabs, does it once: the second is refused, or finds nothing left to do. */
export async function startStep(bookId: string, step: BookStep): Promise<void> {
  switch (step) {
    case "reading":
      await retryFailedPages(bookId);
      return;
    case "writing":
      await approveAllPages(bookId);
      await generateGuidelines(bookId, { resume: true });
      return;
    case "finishing":
      await finalizeGuidelines(bookId);
  }
}
