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

/** What a list of all jobs can be narrowed down to. The age is told as such: "since" would be another list every moment. */
export type JobListFilter = Pick<JobFilter, "kind" | "state" | "batch"> & { newerThanMs?: number };

export function fetchJobs(filter: JobListFilter, cursor?: string, signal?: AbortSignal): Promise<JobList> {
  const { newerThanMs, ...rest } = filter;
  const since = newerThanMs === undefined ? undefined : new Date(Date.now() - newerThanMs).toISOString();
  return request<JobList>("/api/jobs", { query: { ...rest, since, limit: 200, cursor }, signal });
}

/** So many pages are asked for again when somebody comes back to them. */
export const mostPagesAgain = 3;

/**
 * All jobs of a filter, a page at a time. Whoever shows them keeps them true (see useJobList): to ask again for every page
 * that was scrolled through would be a storm.
 */
export const pagedJobs = (filter: JobListFilter) =>
  infiniteQueryOptions({
    queryKey: ["jobs", "paged", filter],
    queryFn: ({ pageParam, signal }) => fetchJobs(filter, pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnMount: ({ state }) => ((state.data?.pages.length ?? 0) <= mostPagesAgain ? "always" : false),
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

const eventsAtOnce = 50;

/**
 * A job's events from the newest known one back. The next page is older; the page before brings what has come since. Events
 * never change, so none is asked for twice.
 */
export const jobEvents = (id: string, lastEventId: number) =>
  infiniteQueryOptions({
    queryKey: ["jobs", "events", id],
    queryFn: ({ pageParam, signal }) =>
      request<EventList>(`/api/jobs/${id}/events`, { query: { ...pageParam }, signal }),
    initialPageParam: { after: Math.max(0, lastEventId - eventsAtOnce), limit: eventsAtOnce },
    getNextPageParam: ({ items: [oldest] }, _pages, { after }) => {
      // Older ones than a page begins with are not kept any more.
      if (!oldest || oldest.number === 1 || oldest.number > after + 1) return undefined;
      const before = Math.max(0, after - eventsAtOnce);
      return { after: before, limit: after - before };
    },
    getPreviousPageParam: ({ items }, _pages, { after }) => ({ after: items.at(-1)?.number ?? after, limit: 500 }),
    staleTime: Number.POSITIVE_INFINITY,
  });

export const cancelJob = (id: string) => request<JobDetail>(`/api/jobs/${id}/cancel`, { method: "POST" });
export const retryJob = (id: string) => request<JobDetail>(`/api/jobs/${id}/retry`, { method: "POST" });
