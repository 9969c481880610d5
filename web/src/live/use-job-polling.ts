/**
 * The latest job of a book, polled while it is pending or running. Looks on mount, stops at a terminal state, on unmount
 * and while the tab is hidden, and waits longer after each error. There is one timer at most at any moment.
 */
import { useCallback, useEffect, useRef, useState } from "react";
import type { BookJob, BookJobType } from "../../../src/contract/books.ts";
import { isEnded } from "../../../src/contract/states.ts";
import { getLatestJob } from "../api/books.ts";
import type { ApiError } from "../api/request.ts";

const pollMs = 3_000;
const longestMs = 30_000;

interface Seen {
  /** Undefined until it has been looked for; null if there is none. */
  job: BookJob | null | undefined;
  /** Whether it is or will be looked for again. */
  isPolling: boolean;
  /** Why the last look failed. */
  error: ApiError | null;
}

export interface JobPolling extends Seen {
  /** Looks now, and goes on from there: for whoever has just started a job. */
  startPolling(): void;
}

const unseen: Seen = { job: undefined, isPolling: true, error: null };
const doNothing = () => undefined;

export function useJobPolling(bookId: string, jobType?: BookJobType): JobPolling {
  const subject = `${bookId} ${jobType ?? ""}`;
  // Kept with what it is about: a job of another book is not shown for even a moment.
  const [seen, setSeen] = useState({ subject, ...unseen });
  const look = useRef<() => void>(doNothing);

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let asking: AbortController | undefined;
    let failures = 0;
    let isPolling = true;

    const stop = () => {
      clearTimeout(timer);
      asking?.abort();
    };
    const show = (news: Partial<Seen>) =>
      setSeen((before) => ({ ...(before.subject === subject ? before : unseen), ...news, subject }));

    const ask = async () => {
      stop();
      const mine = new AbortController();
      asking = mine;
      isPolling = true;
      show({ isPolling });
      const found = await getLatestJob(bookId, jobType, mine.signal).then(
        (job) => ({ job, error: null }),
        (error: ApiError) => ({ error }),
      );
      // Whoever stopped it has the say from then on: it is hidden, gone, or asked again.
      if (mine.signal.aborted) return;
      if (found.error) {
        failures++;
        // The book has been deleted, and stays so.
        isPolling = found.error.status !== 404;
      } else {
        failures = 0;
        isPolling = found.job !== null && !isEnded(found.job.status);
      }
      show({ ...found, isPolling });
      const waitMs = Math.min(pollMs * 2 ** failures, longestMs);
      if (isPolling && !document.hidden) timer = setTimeout(ask, waitMs);
    };
    const onVisibility = () => {
      if (document.hidden) stop();
      else if (isPolling) void ask();
    };

    look.current = () => void ask();
    document.addEventListener("visibilitychange", onVisibility);
    onVisibility();
    return () => {
      document.removeEventListener("visibilitychange", onVisibility);
      // An answer to what was clicked may come after this is gone.
      look.current = doNothing;
      stop();
    };
  }, [bookId, jobType, subject]);

  const startPolling = useCallback(() => look.current(), []);
  const { job, isPolling, error } = seen.subject === subject ? seen : unseen;
  return { job, isPolling, error, startPolling };
}
