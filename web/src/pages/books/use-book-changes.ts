/** Keeps what is shown of books true: asks again for a book when one of its jobs has changed, and only then. */
import { type Query, useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import type { JobSummary } from "../../../../src/contract/jobs.ts";
import { bookKeys } from "../../api/books.ts";
import { useJobChanges } from "../../live/ActivityProvider.tsx";

/** A book's jobs hold its lock, also after they have ended. */
export function isJobOf(bookId: string, { lockKey }: JobSummary): boolean {
  return lockKey === `book:${bookId}`;
}

/** Texts of pages name the state they are of, and are another answer when that changes. */
const isNoText = ({ queryKey }: Query) => queryKey[3] !== "page";

/** Asks again for everything that is shown of a book. */
export function useRefreshBook(bookId: string): () => void {
  const queryClient = useQueryClient();
  return useCallback(
    () => void queryClient.invalidateQueries({ queryKey: bookKeys.one(bookId), predicate: isNoText }),
    [queryClient, bookId],
  );
}

export function useBookChanges(bookId: string): void {
  const refresh = useRefreshBook(bookId);
  useJobChanges((jobs, complete) => {
    if (!complete || jobs.some((job) => isJobOf(bookId, job))) refresh();
  });
}
