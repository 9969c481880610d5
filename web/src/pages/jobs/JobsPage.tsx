/** Every job, newest first, live. What it is narrowed down to is in the address. */
import { getRouteApi } from "@tanstack/react-router";
import { useMemo } from "react";
import { PageHeader } from "../../parts/PageHeader.tsx";
import { JobFilters } from "./JobFilters.tsx";
import { JobList } from "./JobList.tsx";
import { readFilter } from "./job-filter.ts";

const route = getRouteApi("/shell/jobs");

export function JobsPage() {
  const { kind, state, batch, age } = route.useSearch();
  const navigate = route.useNavigate();
  const filter = useMemo(() => readFilter({ kind, state, batch, age }), [kind, state, batch, age]);
  return (
    <>
      <PageHeader title="Jobs" description="Everything the server does in the background, newest first." />
      <JobFilters
        search={{ kind, state, batch, age }}
        onChange={(search) => void navigate({ search, replace: true, resetScroll: true })}
      />
      <JobList
        key={JSON.stringify(filter)}
        filter={filter}
        onClear={() => void navigate({ search: {}, replace: true })}
      />
    </>
  );
}
