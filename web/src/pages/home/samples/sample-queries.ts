/** What the samples are followed by: each is asked for again as its jobs move, until nothing more can come of it. */
import { queryOptions } from "@tanstack/react-query";
import type { BatchDetail } from "../../../../../src/contract/batches.ts";
import type { BookDetail } from "../../../../../src/contract/books.ts";
import type { DocumentDetail } from "../../../../../src/contract/documents.ts";
import { sheetKinds } from "../../../api/batches.ts";
import { bookKinds } from "../../../api/books.ts";
import { documentKeys, documentKinds } from "../../../api/documents.ts";
import { request } from "../../../api/request.ts";

export const sampleDocument = (id: string) =>
  queryOptions({
    queryKey: [...documentKeys.all, "sample", id],
    queryFn: ({ signal }) => request<DocumentDetail>(`/api/documents/${id}`, { signal }),
    meta: { live: documentKinds },
    enabled: ({ state }) => state.data?.status !== "Ready",
  });

export const sampleBatch = (id: string) =>
  queryOptions({
    queryKey: ["batches", "sample", id],
    queryFn: ({ signal }) => request<BatchDetail>(`/api/batch/${id}`, { signal }),
    meta: { live: sheetKinds },
    enabled: ({ state }) => state.data?.batch.status !== "completed",
  });

export const sampleBook = (id: string) =>
  queryOptions({
    queryKey: ["books", "sample", id],
    queryFn: ({ signal }) => request<BookDetail>(`/admin/books/${id}`, { signal }),
    meta: { live: bookKinds },
    enabled: ({ state }) => state.data?.latest_jobs.finalization?.status !== "completed",
  });
