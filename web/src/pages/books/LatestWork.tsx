/** What was last done with a book, and how far it is. */
import { Text } from "@mantine/core";
import type { ListedBook } from "../../../../src/contract/books.ts";
import { StateBadge } from "../../parts/StateBadge.tsx";
import { nameJob } from "./name-job.ts";

export function LatestWork({ book: { latest_job: job, total_pages } }: { book: ListedBook }) {
  if (job === null) {
    return (
      <Text size="sm" c="dimmed">
        {total_pages === 0 ? "Waits for its scans" : "Nothing yet"}
      </Text>
    );
  }
  const partly = job.status === "completed" && job.failed_items > 0;
  return (
    <>
      <StateBadge state={partly ? "partial" : job.status} label={partly ? `${job.failed_items} failed` : undefined} />
      <Text size="sm" c="dimmed" className="numbers">
        {nameJob(job.job_type)}
        {job.total_items !== null && ` · ${job.completed_items}/${job.total_items}`}
      </Text>
    </>
  );
}
