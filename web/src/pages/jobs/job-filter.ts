/** What the list of jobs is narrowed down to: as the address says it, as the API takes it, and whether a job belongs. */
import type { JobSummary } from "../../../../src/contract/jobs.ts";
import type { JobState } from "../../../../src/contract/states.ts";
import type { JobListFilter } from "../../api/jobs.ts";
import type { JobsSearch } from "../../router.tsx";

export const jobStates = ["pending", "running", "completed", "failed", "cancelled"] as const satisfies JobState[];

const hourMs = 3_600_000;
export const ages = [
  { value: "1h", label: "Last hour", ms: hourMs },
  { value: "24h", label: "Last 24 hours", ms: 24 * hourMs },
  { value: "7d", label: "Last 7 days", ms: 7 * 24 * hourMs },
] as const;

/** What an address says that is not known is left out. */
export function readFilter({ kind, state, batch, age }: JobsSearch): JobListFilter {
  return {
    kind,
    state: jobStates.find((known) => known === state),
    batch,
    newerThanMs: ages.find(({ value }) => value === age)?.ms,
  };
}

export function isNarrowed(filter: JobListFilter): boolean {
  return Object.values(filter).some((value) => value !== undefined);
}

export function belongsTo({ kind, state, batch, newerThanMs }: JobListFilter, job: JobSummary, now: number): boolean {
  return (
    (kind === undefined || job.kind === kind) &&
    (state === undefined || job.status === state) &&
    (batch === undefined || job.batchId === batch) &&
    (newerThanMs === undefined || new Date(job.createdAt).getTime() >= now - newerThanMs)
  );
}
