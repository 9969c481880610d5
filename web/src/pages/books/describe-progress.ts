/** How far a job is, in a line, and where it would go on. */
import type { BookJob } from "../../../../src/contract/books.ts";
import { countOf, formatCount, formatPercent } from "../../parts/format.ts";
import { itemOf } from "./name-job.ts";
import { readProgressDetail } from "./read-progress-detail.ts";

/** "78/100 pages (78 %) · now page 79 · 14 subtopics, 1 failed" */
export function describeProgress(job: BookJob): string {
  const { completed_items: done, failed_items: failed, total_items: total, current_item: current } = job;
  const item = itemOf(job.job_type);
  const { stats } = readProgressDetail(job);
  const parts = [
    total === null
      ? countOf(done, item)
      : `${formatCount(done)}/${countOf(total, item)} (${formatPercent(done, total)})`,
    current !== null && `now ${item} ${current}`,
    [stats && countOf(stats.created, "subtopic"), failed > 0 && `${formatCount(failed)} failed`]
      .filter(Boolean)
      .join(", "),
  ];
  return parts.filter(Boolean).join(" · ");
}

/**
 * The first page that is not done. The server says it where a job was lost; otherwise it is the one after the last that is
 * done, or one before that which failed. Null where no page is left.
 */
export function findResumePage(job: BookJob, lastPage: number): number | null {
  const [, said] = /Resume from page (\d+)/.exec(job.error_message ?? "") ?? [];
  if (said !== undefined) return Number(said);
  const { pageErrors } = readProgressDetail(job);
  const next = Math.min((job.last_completed_item ?? 0) + 1, ...pageErrors.map(({ page }) => page));
  return next <= lastPage ? next : null;
}
