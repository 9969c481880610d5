/** How long a job ran; counts up while it runs. */
import type { JobSummary } from "../../../../src/contract/jobs.ts";
import { formatDuration } from "../../parts/format.ts";
import { useNow } from "../../parts/use-now.ts";
import { tookMs } from "./describe-job.ts";

export function JobTook({ job }: { job: JobSummary }) {
  if (job.status === "running") return <RunningFor job={job} />;
  const ms = tookMs(job, Date.now());
  return ms === null ? null : <span className="numbers">{formatDuration(ms)}</span>;
}

function RunningFor({ job }: { job: JobSummary }) {
  const now = useNow(1_000);
  return <span className="numbers">{formatDuration(tookMs(job, now) ?? 0)}</span>;
}
