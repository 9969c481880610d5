/** The one thing to know about a job in its state: why it waits, how far it is, why it failed. */
import { Alert, Paper, Text } from "@mantine/core";
import { IconAlertTriangle, IconHourglass } from "@tabler/icons-react";
import type { JobDetail, Waiting } from "../../../../../src/contract/jobs.ts";
import { TextLink } from "../../../parts/ButtonLink.tsx";
import { formatAgo, formatCount } from "../../../parts/format.ts";
import { ProgressLine } from "../../../parts/ProgressLine.tsx";
import { useNow } from "../../../parts/use-now.ts";
import { retryHint } from "../use-job-actions.ts";
import { withLocalTimes } from "./with-local-times.ts";

export function JobNotice({ job }: { job: JobDetail }) {
  switch (job.status) {
    case "pending":
      return job.waiting && <WhyItWaits waiting={job.waiting} />;
    case "running":
      return (
        <Paper withBorder p="md">
          <ProgressLine
            label="Progress"
            done={job.completedItems}
            failed={job.failedItems}
            total={job.totalItems}
            message={job.message ?? (job.currentItem === null ? null : `Now: ${job.currentItem}`)}
          />
        </Paper>
      );
    case "failed":
      return (
        <Alert
          color="red"
          icon={<IconAlertTriangle aria-hidden />}
          title={job.errorMessage ?? "It failed without saying why"}
        >
          <Text size="sm">
            {job.errorCode !== null && `${job.errorCode} · `}
            {job.attempts} of {job.maxAttempts} attempts made. Retry it when the cause is gone. {retryHint}
          </Text>
        </Alert>
      );
    case "cancelled":
    case "completed":
      return null;
  }
}

function WhyItWaits({ waiting: { reason, explanation, position, estimatedStartAt } }: { waiting: Waiting }) {
  const now = useNow(5_000);
  return (
    <Alert icon={<IconHourglass aria-hidden />} title="Why it waits">
      <Text fw={500}>{withLocalTimes(explanation)}</Text>
      <Text size="sm" mt={4}>
        {position !== null && position > 0 && `Number ${formatCount(position + 1)} of its kind. `}
        {reason === "no_worker" && (
          <TextLink to="/workers" inherit>
            See who works
          </TextLink>
        )}
        {estimatedStartAt !== null && `Should start ${startsWhen(estimatedStartAt, now)}.`}
      </Text>
    </Alert>
  );
}

function startsWhen(at: string, now: number): string {
  return new Date(at).getTime() - now < 10_000 ? "any moment now" : formatAgo(at, now).replace(/\.$/, "");
}
