/** How the last generation ended: what it made and which pages failed, or why it stopped and where it goes on. */
import { Alert, Group, Paper, Stack, Text } from "@mantine/core";
import { IconAlertTriangle, IconBan } from "@tabler/icons-react";
import type { BookDetail, BookJob } from "../../../../../src/contract/books.ts";
import { TextLink } from "../../../parts/ButtonLink.tsx";
import { countOf, formatDuration } from "../../../parts/format.ts";
import { WriteButton } from "../../../parts/WriteButton.tsx";
import { activeJobOf } from "../active-job.ts";
import { describeProgress, findResumePage } from "../describe-progress.ts";
import { readProgressDetail } from "../read-progress-detail.ts";
import { JobOutcome } from "./JobOutcome.tsx";
import { PageErrors } from "./PageErrors.tsx";

export interface GenerationOutcomeProps {
  book: BookDetail;
  job: BookJob;
  isStarting: boolean;
  onResume(): void;
  onRestart(): void;
}

export function GenerationOutcome(props: GenerationOutcomeProps) {
  return props.job.status === "completed" ? <Finished {...props} /> : <Stopped {...props} />;
}

function Stopped({ book, job, isStarting, onResume, onRestart }: GenerationOutcomeProps) {
  const isFailed = job.status === "failed";
  const page = findResumePage(job, book.pages.length);
  const { pageErrors } = readProgressDetail(job);
  const isHeld = activeJobOf(book) !== null;
  return (
    <Alert
      color={isFailed ? "red" : "yellow"}
      icon={isFailed ? <IconAlertTriangle aria-hidden /> : <IconBan aria-hidden />}
      title={isFailed ? "Generation stopped" : "Generation was cancelled"}
      role="alert"
    >
      <Stack gap="xs">
        {job.error_message !== null && <Text size="sm">{job.error_message}</Text>}
        <Text size="sm" className="numbers">
          {describeProgress(job)}. What was made of these pages is kept.{" "}
          <TextLink to="/jobs/$jobId" params={{ jobId: job.job_id }} inherit c="inherit" underline="always">
            Job details
          </TextLink>
        </Text>
        <PageErrors bookId={book.id} errors={pageErrors} />
        <Group gap="xs">
          <WriteButton size="xs" loading={isStarting} disabled={isHeld} onClick={onResume}>
            {page === null ? "Resume" : `Resume from page ${page}`}
          </WriteButton>
          <WriteButton size="xs" variant="default" disabled={isStarting || isHeld} onClick={onRestart}>
            Restart
          </WriteButton>
        </Group>
      </Stack>
    </Alert>
  );
}

function Finished({ book, job, isStarting, onResume, onRestart }: GenerationOutcomeProps) {
  const { pageErrors, stats } = readProgressDetail(job);
  const isHeld = activeJobOf(book) !== null;
  const facts = [
    countOf(job.completed_items, "page"),
    stats && `${countOf(stats.created, "subtopic")} created, ${stats.merged} merged`,
    job.completed_at && formatDuration(new Date(job.completed_at).getTime() - new Date(job.started_at).getTime()),
  ];
  return (
    <Paper withBorder p="md">
      <Stack gap="xs">
        <Group justify="space-between" gap="sm">
          <JobOutcome
            job={job}
            state={job.failed_items > 0 ? "partial" : "completed"}
            label={job.failed_items > 0 ? `Generated, ${countOf(job.failed_items, "page")} failed` : "Generated"}
          >
            {facts.filter(Boolean).join(" · ")}
          </JobOutcome>
          <Group gap="xs">
            <WriteButton
              size="xs"
              variant={job.failed_items > 0 ? "filled" : "default"}
              loading={isStarting}
              disabled={isHeld}
              onClick={onResume}
            >
              {job.failed_items > 0
                ? `Try ${countOf(job.failed_items, "failed page")} again`
                : "Generate what is missing"}
            </WriteButton>
            <WriteButton size="xs" variant="default" disabled={isStarting || isHeld} onClick={onRestart}>
              Generate again
            </WriteButton>
          </Group>
        </Group>
        <PageErrors bookId={book.id} errors={pageErrors} />
      </Stack>
    </Paper>
  );
}
