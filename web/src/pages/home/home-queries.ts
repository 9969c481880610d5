/** What the first page asks the server for. Its parts share the answers. */

import { queryOptions, useInfiniteQuery } from "@tanstack/react-query";
import type { BookJobType } from "../../../../src/contract/books.ts";
import { batchList } from "../../api/batches.ts";
import { bookKinds, getLatestJob } from "../../api/books.ts";
import { documentList } from "../../api/documents.ts";
import { latestJobs } from "../../api/jobs.ts";

export const runningJobs = latestJobs({ state: "running" }, 100);
export const waitingJobs = latestJobs({ state: "pending" }, 100);

/** The oldest are those whose turn it is. */
export const documentsUnderWay = documentList({ status: "Processing", sort: "oldest", limit: 50 });
export const failedDocuments = documentList({ status: "Failed", limit: 50 });
export const readyDocuments = documentList({ status: "Ready", limit: 6 });

/** Asked for again only when jobs of that kind change. */
export const failedJobs = (kind: string) => ({ ...latestJobs({ kind, state: "failed" }, 50), meta: { live: [kind] } });
export const completedJobs = (kind: string) => ({
  ...latestJobs({ kind, state: "completed" }, 6),
  meta: { live: [kind] },
});

/** Whether a job that failed is still the last word. */
export const latestJobOfType = (bookId: string, type: BookJobType) =>
  queryOptions({
    queryKey: ["books", "latest", bookId, type],
    queryFn: ({ signal }) => getLatestJob(bookId, type, signal),
    meta: { live: bookKinds },
  });

/** The newest batches, without the pages between which they come. */
export const useNewestBatches = () =>
  useInfiniteQuery({ ...batchList, select: ({ pages }) => pages.flatMap(({ items }) => items) });

interface Asked {
  data: unknown;
  error: Error | null;
  refetch(): unknown;
}

export interface Answers {
  /** Some are still missing. */
  isLoading: boolean;
  /** Why one is missing for good, until it is asked for again. */
  error: Error | null;
  retry(): void;
}

/** An error of something that was answered before does not matter here: the shell tells of lost connections. */
export function gather(asked: readonly Asked[]): Answers {
  const missing = asked.filter(({ data }) => data === undefined);
  return {
    isLoading: missing.length > 0,
    error: missing.find(({ error }) => error)?.error ?? null,
    retry: () => {
      for (const { refetch } of missing) void refetch();
    },
  };
}
