/** Batches of heat sheets, their schedules, and what is shared of them. */
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import type {
  BatchCreated,
  BatchList,
  BatchResults,
  DiscoveredSheets,
  SharedResult,
} from "../../../src/contract/batches.ts";
import { request } from "./request.ts";
import { type SendOptions, sendFiles } from "./send-files.ts";

/** Kinds of jobs that change batches of heat sheets. */
export const sheetKinds = ["heat_sheet"] as const;

export const batchKeys = {
  list: ["batches", "list"],
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

/** What there is so far. `outcome` says which sheets have ended and how: another outcome has another schedule. */
export const batchResults = (id: string, outcome: string) =>
  queryOptions({
    queryKey: [...batchKeys.results(id), outcome],
    queryFn: ({ signal }) => request<BatchResults>(`/api/batch/${id}/results`, { signal }),
    // Whoever shows it names the outcome; what is left is a connection that was lost while it was asked for.
    meta: { live: [] },
  });

export const sharedResult = (code: string) =>
  queryOptions({
    queryKey: ["results", code],
    queryFn: ({ signal }) => request<SharedResult>(`/api/results/${encodeURIComponent(code)}`, { signal }),
    // Each look is counted.
    staleTime: Number.POSITIVE_INFINITY,
  });

export const batchStreamUrl = (id: string, look: number) => `/api/batch/${id}/stream?look=${look}`;
export const calendarUrl = (id: string, alarm: string) => `/api/batch/${id}/calendar.ics?alarm=${alarm}`;

export interface NewSchedule {
  swimmer: string;
  files: readonly File[];
  urls: readonly string[];
  notifyEmail: string;
}

export function startBatch({ swimmer, files, urls, notifyEmail }: NewSchedule, options: SendOptions) {
  const form = new FormData();
  // Fields before files: a form that lacks one is refused before its files have come.
  form.append("swimmer", swimmer);
  if (urls.length > 0) form.append("urls", JSON.stringify(urls));
  if (notifyEmail !== "") form.append("notifyEmail", notifyEmail);
  for (const file of files) form.append("pdfs", file, file.name);
  return sendFiles<BatchCreated>("/api/batch/extract", form, options);
}

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
