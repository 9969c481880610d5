/**
 * Takes a sample book through its steps, as a person would by pressing the buttons: whenever one has ended well, the next
 * is started, once. What is due is told from the book alone, so that a reload, or another tab, goes on where it is.
 */
import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useState } from "react";
import type { BookDetail } from "../../../../../src/contract/books.ts";
import { useMayWrite } from "../../../access/AccessProvider.tsx";
import type { ApiError } from "../../../api/request.ts";
import { type BookStep, dueStep, placeOfBook, startStep } from "./book-steps.ts";
import { sampleBook } from "./sample-queries.ts";

export interface BookDriver {
  isStarting: boolean;
  /** Why the step could not be started. */
  error: ApiError | null;
  start(step: BookStep): void;
}

export function useBookDriver(bookId: string, book: BookDetail | undefined): BookDriver {
  const queryClient = useQueryClient();
  const [isStarting, setStarting] = useState(false);
  const [failure, setFailure] = useState<{ place: string; error: ApiError } | null>(null);
  const mayWrite = useMayWrite();
  const due = book && mayWrite ? dueStep(book) : null;

  const start = useCallback(
    async (step: BookStep) => {
      const { queryKey } = sampleBook(bookId);
      setStarting(true);
      setFailure(null);
      const error = await startStep(bookId, step).then(
        () => null,
        (reason: ApiError) => reason,
      );
      await queryClient.refetchQueries({ queryKey });
      const after = queryClient.getQueryData(queryKey);
      // Refused because another tab was first: then the book says so. Anything else is worth a word.
      const wasLate = error?.status === 409 && after !== undefined && dueStep(after) !== step;
      if (error && !wasLate) setFailure({ place: nameOfPlace(after), error });
      setStarting(false);
    },
    [bookId, queryClient],
  );

  useEffect(() => {
    if (due !== null) void start(due);
  }, [due, start]);

  // What could not be started then does not matter any more once the book is somewhere else.
  const error = failure?.place === nameOfPlace(book) ? failure.error : null;
  return { isStarting, error, start: (step) => void start(step) };
}

function nameOfPlace(book: BookDetail | undefined): string {
  if (!book) return "";
  const { step, job } = placeOfBook(book);
  return `${step} ${job?.job_id}`;
}
