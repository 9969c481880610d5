/** The heat sheets of a schedule: how far each is, what it gave, why it failed, and the button that tries it again. */
import { Anchor, Box, Group, Text } from "@mantine/core";
import { IconRefresh } from "@tabler/icons-react";
import type { SheetJob } from "../../../../../src/contract/batches.ts";
import { retrySheet } from "../../../api/batches.ts";
import { TextLink } from "../../../parts/ButtonLink.tsx";
import { StateBadge } from "../../../parts/StateBadge.tsx";
import { useAction } from "../../../parts/use-action.ts";
import { WriteButton } from "../../../parts/WriteButton.tsx";
import { CopyLink } from "../CopyLink.tsx";
import styles from "./SheetList.module.css";
import { describeSheet, lookOfSheet, nameOf } from "./sheet-words.ts";

export interface SheetListProps {
  batchId: string;
  jobs: readonly SheetJob[];
  /** A sheet is being read again. */
  onRetried(): void;
}

export function SheetList({ batchId, jobs, onRetried }: SheetListProps) {
  const retry = useAction({ run: (jobId: string) => retrySheet(batchId, jobId), onDone: onRetried });
  return (
    <ol className={styles.list}>
      {jobs.map((job) => (
        <SheetItem
          key={job.id}
          job={job}
          isRetrying={retry.isPending && retry.variables === job.id}
          onRetry={() => retry.mutate(job.id)}
        />
      ))}
    </ol>
  );
}

function SheetItem({ job, isRetrying, onRetry }: { job: SheetJob; isRetrying: boolean; onRetry(): void }) {
  const { state, word } = lookOfSheet(job);
  const name = nameOf(job);
  return (
    <li className={styles.item} data-sheet={job.sequence}>
      <Group justify="space-between" wrap="nowrap" gap="xs" align="flex-start">
        <SheetName job={job} />
        <StateBadge state={state} label={word} />
      </Group>
      <Group justify="space-between" gap="xs" wrap="nowrap" align="flex-start" mih={22}>
        <Text size="sm" c={job.status === "failed" && state === "failed" ? "var(--mantine-color-error)" : "dimmed"}>
          {describeSheet(job)}
        </Text>
        <Box style={{ flexShrink: 0 }}>
          {job.status === "failed" && (
            <WriteButton
              size="compact-xs"
              variant="subtle"
              fw={500}
              leftSection={<IconRefresh size={14} aria-hidden />}
              aria-label={`Try again: ${name}`}
              loading={isRetrying}
              onClick={onRetry}
            >
              Try again
            </WriteButton>
          )}
          {job.resultCode !== null && (job.eventCount ?? 0) > 0 && (
            <CopyLink
              size="compact-xs"
              variant="subtle"
              fw={500}
              path={`/results/${job.resultCode}`}
              about={`what ${name} has`}
            />
          )}
        </Box>
      </Group>
    </li>
  );
}

/** A sheet that gave something leads to its own page; another that was fetched, to where it came from. */
function SheetName({ job }: { job: SheetJob }) {
  const name = nameOf(job);
  if (job.resultCode !== null && (job.eventCount ?? 0) > 0) {
    return (
      <TextLink to="/results/$code" params={{ code: job.resultCode }} size="sm" fw={500}>
        {name}
      </TextLink>
    );
  }
  if (job.sourceUrl !== null) {
    return (
      <Anchor href={job.sourceUrl} target="_blank" rel="noreferrer" size="sm" fw={500}>
        {name}
      </Anchor>
    );
  }
  return (
    <Text size="sm" fw={500}>
      {name}
    </Text>
  );
}
