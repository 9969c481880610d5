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

export interface JobPolling {
  /** Undefined until it has been looked for; null if there is none. */
  job: BookJob | null | undefined;
  isPolling: boolean;
  error: ApiError | null;
  /** Looks now, and goes on from there: for whoever has just started a job. */
  startPolling(): void;
}

export function useJobPolling(bookId: string, jobType?: BookJobType): JobPolling {
  const [job, setJob] = useState<BookJob | null>();
  const [error, setError] = useState<ApiError | null>(null);
  const [isPolling, setPolling] = useState(true);
  const look = useRef<() => void>(() => undefined);

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let asking: AbortController | undefined;
    let failures = 0;
    let over = false;
    setJob(undefined);

    const stop = () => {
      clearTimeout(timer);
      timer = undefined;
      asking?.abort();
      asking = undefined;
    };
    const ask = async () => {
      stop();
      const mine = new AbortController();
      asking = mine;
      over = false;
      setPolling(true);
      let waitMs = pollMs;
      try {
        const latest = await getLatestJob(bookId, jobType, mine.signal);
        if (mine.signal.aborted) return;
        failures = 0;
        over = latest === null || isEnded(latest.status);
        setJob(latest);
        setError(null);
      } catch (failure) {
        if (mine.signal.aborted) return;
        failures++;
        waitMs = Math.min(pollMs * 2 ** failures, longestMs);
        setError(failure as ApiError);
      }
      if (over) setPolling(false);
      else if (!document.hidden) timer = setTimeout(ask, waitMs);
    };
    const onVisibility = () => {
      if (document.hidden) stop();
      else if (!over) void ask();
    };

    look.current = () => void ask();
    document.addEventListener("visibilitychange", onVisibility);
    onVisibility();
    return () => {
      document.removeEventListener("visibilitychange", onVisibility);
      stop();
    };
  }, [bookId, jobType]);

  const startPolling = useCallback(() => look.current(), []);
  return { job, isPolling, error, startPolling };
}
