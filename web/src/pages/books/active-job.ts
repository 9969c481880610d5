/** The job that holds a book. As long as there is one, the server refuses every other change. */
import type { BookDetail, BookJob } from "../../../../src/contract/books.ts";
import { isEnded } from "../../../../src/contract/states.ts";
import { nameJob } from "./name-job.ts";

export function activeJobOf({ latest_jobs: { ocr_batch, extraction, finalization } }: BookDetail): BookJob | null {
  return [ocr_batch, extraction, finalization].find((job) => job && !isEnded(job.status)) ?? null;
}

/** Why nothing can be changed at the moment; null if everything can. */
export function whyHeld(book: BookDetail): string | null {
  const job = activeJobOf(book);
  return job && `${nameJob(job.job_type)} is under way: changes can be saved when it has ended.`;
}
