/** A job, live: what it does or waits for, its stages, what went wrong, and what it was made of. */
import { Grid, Paper, Stack, Text, Title } from "@mantine/core";
import { IconListDetails } from "@tabler/icons-react";
import { getRouteApi } from "@tanstack/react-router";
import { ButtonLink } from "../../parts/ButtonLink.tsx";
import { EmptyState } from "../../parts/EmptyState.tsx";
import { ErrorNotice } from "../../parts/ErrorNotice.tsx";
import { formatName } from "../../parts/format.ts";
import { LoadingRows } from "../../parts/LoadingRows.tsx";
import { PageHeader } from "../../parts/PageHeader.tsx";
import { StageTimeline } from "../../parts/StageTimeline.tsx";
import { StateBadge } from "../../parts/StateBadge.tsx";
import { JobButtons } from "./detail/JobButtons.tsx";
import { JobErrors } from "./detail/JobErrors.tsx";
import { JobFacts } from "./detail/JobFacts.tsx";
import { JobFolds } from "./detail/JobFolds.tsx";
import { JobNotice } from "./detail/JobNotice.tsx";
import { showStages } from "./detail/show-stages.ts";
import { useLiveJob } from "./detail/use-live-job.ts";

const route = getRouteApi("/shell/jobs/$jobId");
const back = { to: "/jobs", label: "Jobs" } as const;

export function JobPage() {
  const { jobId } = route.useParams();
  // Another job is another page: nothing of the one before may stay open.
  return <OneJob key={jobId} jobId={jobId} />;
}

function OneJob({ jobId }: { jobId: string }) {
  const { data: job, error, refetch } = useLiveJob(jobId);
  if (!job) {
    return (
      <>
        <PageHeader title="Job" back={back} />
        {error ? <NotShown error={error} onRetry={() => void refetch()} /> : <Loading />}
      </>
    );
  }
  return (
    <>
      <PageHeader
        title={formatName(job.kind)}
        badge={<StateBadge state={job.status} />}
        description={
          <Text span ff="monospace" size="xs">
            {job.id}
          </Text>
        }
        actions={<JobButtons job={job} />}
        back={back}
      />
      <Stack gap="md">
        <JobNotice job={job} />
        <Grid gap="md">
          <Grid.Col span={{ base: 12, lg: 8 }}>
            <Stack gap="md">
              <Paper withBorder p="md">
                <Title order={2} size="h4" mb="sm">
                  Stages
                </Title>
                {job.stages.length > 0 ? (
                  <StageTimeline stages={showStages(job)} />
                ) : (
                  <Text c="dimmed">This server does not know the kind, so it cannot name its stages.</Text>
                )}
              </Paper>
              <JobErrors job={job} />
            </Stack>
          </Grid.Col>
          <Grid.Col span={{ base: 12, lg: 4 }}>
            <JobFacts job={job} />
          </Grid.Col>
        </Grid>
        <JobFolds job={job} />
      </Stack>
    </>
  );
}

function Loading() {
  return (
    <Paper withBorder>
      <LoadingRows rows={8} />
    </Paper>
  );
}

function NotShown({ error, onRetry }: { error: Error & { status: number }; onRetry(): void }) {
  // An address that is no id is refused before it is looked for.
  if (error.status !== 404 && error.status !== 400) {
    return <ErrorNotice title="The job could not be loaded" error={error} onRetry={onRetry} />;
  }
  return (
    <Paper withBorder>
      <EmptyState
        icon={<IconListDetails size={40} stroke={1.4} />}
        title="There is no such job"
        action={
          <ButtonLink to="/jobs" variant="default">
            All jobs
          </ButtonLink>
        }
      >
        It may have been cleaned up together with what it belonged to, or the address is not complete.
      </EmptyState>
    </Paper>
  );
}
