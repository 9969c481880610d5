/** A job of a book that is under way: how far it is, on what, for how long, and why it waits if it does. */
import { Box, Group, Paper, Progress, Text } from "@mantine/core";
import type { BookJob } from "../../../../src/contract/books.ts";
import { bookKeys, cancelBookJob } from "../../api/books.ts";
import type { JobPolling } from "../../live/use-job-polling.ts";
import { TextLink } from "../../parts/ButtonLink.tsx";
import { ConfirmButton } from "../../parts/ConfirmButton.tsx";
import { progressAria } from "../../parts/progress-aria.ts";
import { StateBadge } from "../../parts/StateBadge.tsx";
import { useAction } from "../../parts/use-action.ts";
import { describeProgress } from "./describe-progress.ts";
import { ElapsedTime } from "./ElapsedTime.tsx";
import { nameJob } from "./name-job.ts";
import { WaitingReason } from "./WaitingReason.tsx";

export interface JobProgressProps {
  job: BookJob;
  /** What it is known by. */
  polling: Pick<JobPolling, "error" | "startPolling">;
  /** What follows for what was made so far. */
  cancelQuestion: string;
}

export function JobProgress({ job, polling: { error, startPolling }, cancelQuestion }: JobProgressProps) {
  const cancel = useAction({
    run: () => cancelBookJob(job.book_id, job.job_id),
    outdates: [bookKeys.one(job.book_id)],
    onDone: startPolling,
  });
  const total = job.total_items;
  const share = (count: number) => (total ? (count / total) * 100 : 0);
  const name = nameJob(job.job_type);
  return (
    <Paper withBorder p="md" role="region" aria-label={`${name} under way`}>
      <Group justify="space-between" mb="xs" gap="xs">
        <Group gap="xs">
          <StateBadge state={job.status} label={`${name} ${job.status}`} />
          <TextLink to="/jobs/$jobId" params={{ jobId: job.job_id }} size="sm">
            Job details
          </TextLink>
        </Group>
        <ConfirmButton
          size="xs"
          question={cancelQuestion}
          confirm={`Cancel ${name}`}
          onConfirm={cancel.mutate}
          loading={cancel.isPending}
        >
          Cancel
        </ConfirmButton>
      </Group>
      <Progress.Root size="lg">
        <Progress.Section
          value={total === null ? 100 : share(job.completed_items)}
          striped={total === null}
          animated={total === null}
          {...progressAria(
            `${name}: progress`,
            share(job.completed_items),
            total === null ? "in progress" : `${job.completed_items} of ${total}`,
          )}
        />
        {job.failed_items > 0 && (
          <Progress.Section value={share(job.failed_items)} color="red" aria-label={`${name}: failed`} />
        )}
      </Progress.Root>
      <Text size="sm" mt="xs" className="numbers" data-testid="job-progress">
        {describeProgress(job)}
        {" · "}
        <ElapsedTime since={job.started_at} />
        {" · you can leave this page"}
      </Text>
      {job.status === "pending" && <WaitingReason jobId={job.job_id} />}
      <Box aria-live="polite">
        {error && (
          <Text size="sm" c="dimmed" mt={4}>
            The numbers may be old: {error.message}
          </Text>
        )}
      </Box>
    </Paper>
  );
}
