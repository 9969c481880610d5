/** Batches of heat sheets, their schedules, and what is shared of them. */
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import type {
  BatchDetail,
  BatchList,
  BatchResults,
  DiscoveredSheets,
  SharedResult,
} from "../../../src/contract/batches.ts";
import { request } from "./request.ts";

/** Kinds of jobs that change batches of heat sheets. */
export const sheetKinds = ["heat_sheet"] as const;

export const batchKeys = {
  list: ["batches", "list"],
  one: (id: string) => ["batches", "one", id],
  results: (id: string) => ["batches", "one", id, "results"],
} as const;

export const batchList = infiniteQueryOptions({
  queryKey: batchKeys.list,
  queryFn: ({ pageParam, signal }) =>
    request<BatchList>("/api/batch", { query: { limit: 50, cursor: pageParam }, signal }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  meta: { live: sheetKinds },
});

export const oneBatch = (id: string) =>
  queryOptions({
    queryKey: batchKeys.one(id),
    queryFn: ({ signal }) => request<BatchDetail>(`/api/batch/${id}`, { signal }),
  });

export const batchResults = (id: string) =>
  queryOptions({
    queryKey: batchKeys.results(id),
    queryFn: ({ signal }) => request<BatchResults>(`/api/batch/${id}/results`, { signal }),
  });

export const sharedResult = (code: string) =>
  queryOptions({
    queryKey: ["results", code],
    queryFn: ({ signal }) => request<SharedResult>(`/api/results/${encodeURIComponent(code)}`, { signal }),
    // Each look is counted.
    staleTime: Number.POSITIVE_INFINITY,
  });

export const calendarUrl = (id: string, alarm: string) => `/api/batch/${id}/calendar.ics?alarm=${alarm}`;

export const cancelBatch = (id: string) =>
  request<{ cancelledJobs: number }>(`/api/batch/${id}/cancel`, { method: "POST" });
export const retryBatch = (id: string) =>
  request<{ retriedJobs: number }>(`/api/batch/${id}/retry`, { method: "POST" });
export const retrySheet = (id: string, jobId: string) =>
  request<{ success: true }>(`/api/batch/${id}/jobs/${jobId}/retry`, { method: "POST" });
export const notifyOfBatch = (id: string, email: string) =>
  request<{ notice?: string }>(`/api/batch/${id}/notify`, { method: "POST", body: { email } });
export const discoverSheets = (url: string) =>
  request<DiscoveredSheets>("/api/discover-heatsheets", { method: "POST", body: { url } });
