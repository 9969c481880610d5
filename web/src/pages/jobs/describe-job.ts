/** A job in one line: where it is or stopped, and what it said last. */
import type { JobSummary } from "../../../../src/contract/jobs.ts";
import { formatAgo, formatName } from "../../parts/format.ts";

export function describeJob(job: JobSummary, now: number): string {
  const stage = job.stage === null ? undefined : formatName(job.stage);
  return [stage, sayWhat(job, now)].filter((part) => part !== undefined && part !== "").join(" · ");
}

function sayWhat(job: JobSummary, now: number): string | undefined {
  switch (job.status) {
    case "pending": {
      const starts = new Date(job.runAt).getTime() > now ? `starts ${formatAgo(job.runAt, now)}` : undefined;
      return job.errorMessage === null ? starts : `${starts ?? "tries again"} after: ${job.errorMessage}`;
    }
    case "running":
      return job.message ?? job.currentItem ?? undefined;
    case "failed":
      return job.errorMessage ?? undefined;
    case "completed":
    case "cancelled":
      return job.message ?? undefined;
  }
}

/** How long it ran, or has been running; null where it has not started or was stopped before. */
export function tookMs({ status, startedAt, completedAt }: JobSummary, now: number): number | null {
  if (startedAt === null || status === "pending") return null;
  const end = completedAt === null ? now : new Date(completedAt).getTime();
  return Math.max(0, end - new Date(startedAt).getTime());
}
