/**
 * The jobs of a filter, kept true by what the server tells. While nothing changes nothing is asked for; changes that are
 * told in full cost no request; where more has changed than was told, one request a second at most catches up.
 */
import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { JobSummary } from "../../../../src/contract/jobs.ts";
import { fetchJobs, type JobListFilter, mostPagesAgain, pagedJobs } from "../../api/jobs.ts";
import { useJobChanges } from "../../live/ActivityProvider.tsx";
import { belongsTo } from "./job-filter.ts";
import {
  countComing,
  forgetChanges,
  mergeJobChanges,
  noChanges,
  noteChanges,
  settleChanges,
} from "./merge-job-changes.ts";
import { useCatchUp } from "./use-catch-up.ts";

/** For one filter: a component that changes it is mounted anew. Rows move only at the top, where nobody reads further down. */
export function useJobList(filter: JobListFilter, atTop: boolean) {
  const queryClient = useQueryClient();
  const query = useInfiniteQuery(pagedJobs(filter));
  const { data, hasNextPage } = query;
  const [changes, setChanges] = useState(noChanges);
  const noted = useRef(changes);
  useEffect(() => {
    noted.current = changes;
  });

  const belongs = useCallback((job: JobSummary) => belongsTo(filter, job, Date.now()), [filter]);
  const rows = useMemo(() => {
    const jobs = data?.pages.flatMap(({ items }) => items) ?? [];
    return mergeJobChanges({ jobs, isAll: !hasNextPage }, changes, belongs);
  }, [data, hasNextPage, changes, belongs]);

  const startAgain = useCallback(async () => {
    const { queryKey } = pagedJobs(filter);
    const before = noted.current;
    const first = await fetchJobs(filter);
    // A page that is under way would bring the old ones back with it.
    await queryClient.cancelQueries({ queryKey, exact: true });
    queryClient.setQueryData(queryKey, { pages: [first], pageParams: [undefined] });
    setChanges((now) => forgetChanges(now, before));
  }, [filter, queryClient]);
  const { fallBehind, ...catchingUp } = useCatchUp({
    ask: startAgain,
    allowed: atTop && data !== undefined,
    startsBehind: (data?.pages.length ?? 0) > mostPagesAgain,
  });

  const ids = useMemo(() => new Set(rows.map(({ job }) => job.id)), [rows]);
  const note = (jobs: readonly JobSummary[]) =>
    setChanges((before) => noteChanges(before, jobs, { isShown: (id) => ids.has(id), belongs, hold: !atTop }));
  useJobChanges((jobs, complete) => {
    if (jobs.length > 0) note(jobs);
    if (!complete) fallBehind();
  });

  useEffect(() => {
    if (atTop) setChanges(settleChanges);
  }, [atTop]);

  return { query, rows, note, ...catchingUp, coming: countComing(changes) };
}
