/** Scans on their way into a book: chosen, sent with progress, taken or refused. They go on if one looks at another page. */
import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useBlocker } from "@tanstack/react-router";
import { useRef, useState } from "react";
import type { BulkUploaded, PageWithText } from "../../../../../src/contract/books.ts";
import { addPage, addPages, bookKeys } from "../../../api/books.ts";
import type { ApiError } from "../../../api/request.ts";
import { countOf } from "../../../parts/format.ts";
import { sayNotSent } from "../../../parts/say-not-sent.ts";

export interface AddPagesState {
  /** In the order in which they become pages. */
  files: readonly File[];
  /** Between 0 and 1 while they are sent; null otherwise. */
  share: number | null;
  isAddingOne: boolean;
  error: ApiError | null;
  /** Adds to what is chosen. */
  choose(files: readonly File[]): void;
  /** Takes one back, by its place among the files. */
  remove(place: number): void;
  clear(): void;
  send(): void;
  stop(): void;
  /** One page, read before the answer. */
  addOne(file: File): void;
}

/** As the server orders them. */
const byName = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

/** Tells the first page that was added, as long as it is shown. */
export function useAddPages(bookId: string, onAdded: (page: number) => void): AddPagesState {
  const queryClient = useQueryClient();
  const [files, setFiles] = useState<readonly File[]>([]);
  const [share, setShare] = useState<number | null>(null);
  const sending = useRef<AbortController>(undefined);
  // The page has to be among the book's before it can be gone to.
  const onSettled = () =>
    Promise.all([
      queryClient.invalidateQueries({ queryKey: bookKeys.one(bookId) }),
      queryClient.invalidateQueries({ queryKey: bookKeys.list }),
    ]);

  const onError = (error: ApiError) => sayNotSent(error, "The pages were not sent");

  const many = useMutation<BulkUploaded, ApiError>({
    mutationFn: () => {
      sending.current = new AbortController();
      setShare(0);
      return addPages(bookId, files, { signal: sending.current.signal, onProgress: setShare });
    },
    onSuccess: ({ total_pages: count }) =>
      notifications.show({
        message: `${countOf(count, "page")} uploaded. They are read in the background.`,
        color: "green",
      }),
    onError,
    onSettled: () => {
      setShare(null);
      return onSettled();
    },
  });
  const one = useMutation<PageWithText, ApiError, File>({
    mutationFn: (file) => addPage(bookId, file),
    onError,
    onSettled,
  });
  useBlocker({ shouldBlockFn: () => false, enableBeforeUnload: many.isPending || one.isPending });

  const forget = () => {
    many.reset();
    one.reset();
  };
  const error = many.error ?? one.error;
  return {
    files,
    share,
    isAddingOne: one.isPending,
    error: error?.code === "ABORTED" ? null : error,
    choose: (chosen) => {
      forget();
      setFiles([...files, ...chosen].toSorted((a, b) => byName.compare(a.name, b.name)));
    },
    remove: (place) => {
      forget();
      setFiles(files.toSpliced(place, 1));
    },
    clear: () => {
      forget();
      setFiles([]);
    },
    send: () =>
      many.mutate(undefined, {
        onSuccess: ({ pages_uploaded: [first] }) => {
          setFiles([]);
          if (first !== undefined) onAdded(first);
        },
      }),
    stop: () => sending.current?.abort(),
    addOne: (file) => {
      forget();
      one.mutate(file, { onSuccess: ({ page_num }) => onAdded(page_num) });
    },
  };
}
