/** Jobs: what `/api/jobs` knows and does. */
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import type { EventList } from "../../../src/contract/events.ts";
import type { JobDetail, JobItemList, JobList } from "../../../src/contract/jobs.ts";
import type { JobState } from "../../../src/contract/states.ts";
import { request } from "./request.ts";

export interface JobFilter {
  kind?: string;
  state?: JobState;
  batch?: string;
  /** ISO times. */
  since?: string;
  before?: string;
}

export const jobKeys = { all: ["jobs"], one: (id: string) => ["jobs", "one", id] } as const;

/** The newest jobs of a filter, kept true. */
export const latestJobs = (filter: JobFilter, limit: number) =>
  queryOptions({
    queryKey: ["jobs", "latest", filter, limit],
    queryFn: ({ signal }) => request<JobList>("/api/jobs", { query: { ...filter, limit }, signal }),
    meta: { live: true },
  });

/** All jobs of a filter, a page at a time. Whoever shows them keeps them true (see useJobChanges). */
export const pagedJobs = (filter: JobFilter, limit = 200) =>
  infiniteQueryOptions({
    queryKey: ["jobs", "paged", filter, limit],
    queryFn: ({ pageParam, signal }) =>
      request<JobList>("/api/jobs", { query: { ...filter, limit, cursor: pageParam }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  });

export const oneJob = (id: string) =>
  queryOptions({
    queryKey: jobKeys.one(id),
    queryFn: ({ signal }) => request<JobDetail>(`/api/jobs/${id}`, { signal }),
  });

export const jobItems = (id: string, state?: "completed" | "failed") =>
  infiniteQueryOptions({
    queryKey: [...jobKeys.one(id), "items", state],
    queryFn: ({ pageParam, signal }) =>
      request<JobItemList>(`/api/jobs/${id}/items`, { query: { state, limit: 100, cursor: pageParam }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  });

export const jobEvents = (id: string, after: number) =>
  request<EventList>(`/api/jobs/${id}/events`, { query: { after, limit: 500 } });

export const cancelJob = (id: string) => request<JobDetail>(`/api/jobs/${id}/cancel`, { method: "POST" });
export const retryJob = (id: string) => request<JobDetail>(`/api/jobs/${id}/retry`, { method: "POST" });
