/** How a job of a book has ended: as what, with which facts, and when. */
import { Group, Text } from "@mantine/core";
import type { ReactNode } from "react";
import type { BookJob } from "../../../../../src/contract/books.ts";
import { Ago } from "../../../parts/Ago.tsx";
import { StateBadge } from "../../../parts/StateBadge.tsx";

export interface JobOutcomeProps {
  job: BookJob;
  state?: "completed" | "partial";
  label: string;
  /** The facts. */
  children: ReactNode;
}

export function JobOutcome({ job: { completed_at }, state = "completed", label, children }: JobOutcomeProps) {
  return (
    <Group gap="xs">
      <StateBadge state={state} label={label} />
      <Text size="sm" className="numbers">
        {children}
      </Text>
      {completed_at && (
        <Text size="sm" c="dimmed">
          <Ago at={completed_at} />
        </Text>
      )}
    </Group>
  );
}
