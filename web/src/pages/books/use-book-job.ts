/**
 * The latest job of a type, polled as long as it is under way. The server's stream tells when somebody else has started
 * one, or when it has ended, so that nobody waits for the next look; where the stream is cut, polling keeps the book true.
 */
import { useEffect } from "react";
import type { BookDetail, BookJob, BookJobType } from "../../../../src/contract/books.ts";
import { isEnded } from "../../../../src/contract/states.ts";
import { useJobChanges } from "../../live/ActivityProvider.tsx";
import { type JobPolling, useJobPolling } from "../../live/use-job-polling.ts";
import { isJobOf, useRefreshBook } from "./use-book-changes.ts";

export function useBookJob(book: BookDetail, jobType: BookJobType): JobPolling {
  const polling = useJobPolling(book.id, jobType);
  const { job: polled, isPolling, startPolling } = polling;
  useJobChanges((jobs, complete) => {
    const changed = jobs.find((job) => job.kind === jobType && isJobOf(book.id, job));
    const isNews = changed ? !isPolling || isEnded(changed.status) : !complete && !isPolling;
    if (isNews) startPolling();
  });

  const known = book.latest_jobs[jobType];
  const isBookBehind = polled ? isAhead(polled, known) : false;
  const refreshBook = useRefreshBook(book.id);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each look at the job is a reason of its own.
  useEffect(() => {
    if (isBookBehind) refreshBook();
  }, [isBookBehind, polled, refreshBook]);

  return { ...polling, job: known && isAhead(known, polled) ? known : polled };
}

/** The book is asked for at other moments than its job: whether one of them knows more of it. */
function isAhead(job: BookJob, other: BookJob | null | undefined): boolean {
  if (!other) return true;
  // Ids are made in order.
  return job.job_id === other.job_id ? progressOf(job) > progressOf(other) : job.job_id > other.job_id;
}

function progressOf({ status, completed_items, failed_items }: BookJob): number {
  if (status === "pending") return -1;
  return isEnded(status) ? Number.POSITIVE_INFINITY : completed_items + failed_items;
}
