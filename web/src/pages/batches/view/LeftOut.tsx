/** Sheets that are not in the schedule and why: whoever prints it has to know that something may be missing. */
import { List, Title } from "@mantine/core";
import type { SheetJob } from "../../../../../src/contract/batches.ts";
import { isWithoutSwimmer, nameOf } from "./sheet-words.ts";

export function LeftOut({ swimmerName, jobs }: { swimmerName: string; jobs: readonly SheetJob[] }) {
  const left = jobs.filter(({ status }) => status !== "completed");
  if (left.length === 0) return null;
  const without = left.filter(isWithoutSwimmer);
  return (
    <section>
      <Title order={3} size="sm" mb={4}>
        Not in this schedule
      </Title>
      <List size="sm" spacing={2}>
        {left
          .filter((job) => !isWithoutSwimmer(job))
          .map((job) => (
            <List.Item key={job.id}>
              {nameOf(job)}: {reasonOf(job)}
            </List.Item>
          ))}
        {without.length > 0 && (
          <List.Item>
            {swimmerName} does not occur in {without.map(nameOf).join(", ")}.
          </List.Item>
        )}
      </List>
    </section>
  );
}

function reasonOf({ status, error }: SheetJob): string {
  switch (status) {
    case "failed":
      return error ?? "It could not be read.";
    case "cancelled":
      return "It was cancelled before it was read.";
    case "pending":
    case "running":
    case "completed":
      return "It is still being read.";
  }
}
