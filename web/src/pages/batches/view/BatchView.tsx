/** A schedule in the making, live: what is read, what was found, and what can be done about the rest. */
import { Box, Grid, Paper, Title, VisuallyHidden } from "@mantine/core";
import { IconCalendarOff, IconPlus, IconRefresh } from "@tabler/icons-react";
import { batchKeys, cancelBatch, retryBatch } from "../../../api/batches.ts";
import { Ago } from "../../../parts/Ago.tsx";
import { ButtonLink } from "../../../parts/ButtonLink.tsx";
import { ConfirmButton } from "../../../parts/ConfirmButton.tsx";
import { EmptyState } from "../../../parts/EmptyState.tsx";
import { countOf } from "../../../parts/format.ts";
import { LoadingRows } from "../../../parts/LoadingRows.tsx";
import { PageHeader } from "../../../parts/PageHeader.tsx";
import { ProgressLine } from "../../../parts/ProgressLine.tsx";
import { StateBadge } from "../../../parts/StateBadge.tsx";
import { useAction } from "../../../parts/use-action.ts";
import { WriteButton } from "../../../parts/WriteButton.tsx";
import { formatDates } from "../schedule/swim-words.ts";
import type { BatchPicture } from "./apply-batch-event.ts";
import { NotifyButton } from "./NotifyButton.tsx";
import { SchedulePanel } from "./SchedulePanel.tsx";
import { SheetList } from "./SheetList.tsx";
import { lookOfBatch } from "./sheet-words.ts";
import { isUnderWay, useBatch } from "./use-batch.ts";

const back = { to: "/batches", label: "Heat sheets" } as const;

export function BatchView({ id }: { id: string }) {
  const { picture, connection, lookAgain } = useBatch(id);
  if (connection === "gone") return <Gone />;
  if (!picture) {
    return (
      <>
        <PageHeader title="Heat sheets" back={back} />
        <Paper withBorder>
          <LoadingRows />
        </Paper>
      </>
    );
  }
  const { batch, jobs } = picture;
  const look = lookOfBatch(batch);
  return (
    <>
      <PageHeader
        title={batch.swimmerName}
        back={back}
        badge={<StateBadge state={look.state} label={look.word} />}
        description={
          <>
            {countOf(batch.totalJobs, "heat sheet")} · started <Ago at={batch.createdAt} /> · kept until{" "}
            {formatDates(batch.expiresAt.slice(0, 10))}
          </>
        }
        actions={<BatchActions picture={picture} onRetried={lookAgain} />}
      />
      <Progress picture={picture} />
      <Grid gap="md">
        <Grid.Col span={{ base: 12, lg: 8 }}>
          <SchedulePanel picture={picture} />
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 4 }} className="no-print">
          <Paper withBorder p="md" component="section" aria-label="Heat sheets">
            <Title order={2} size="h3" mb="xs">
              Heat sheets
            </Title>
            <SheetList batchId={batch.id} jobs={jobs} onRetried={lookAgain} />
            <NotifyButton batchId={batch.id} ended={!isUnderWay(picture)} />
          </Paper>
        </Grid.Col>
      </Grid>
    </>
  );
}

function Progress({ picture }: { picture: BatchPicture }) {
  const { completedJobs, failedJobs, withoutSwimmer, totalJobs } = picture.batch;
  const done = completedJobs + withoutSwimmer;
  const failed = failedJobs - withoutSwimmer;
  return (
    <Box mb="md" className="no-print">
      <ProgressLine
        label="Heat sheets read"
        done={done}
        failed={failed}
        total={totalJobs}
        message={isUnderWay(picture) ? "Reading. You can leave this page: it goes on without you." : "Heat sheets read"}
      />
      <VisuallyHidden aria-live="polite">
        {done + failed} of {countOf(totalJobs, "heat sheet")} read
      </VisuallyHidden>
    </Box>
  );
}

function BatchActions({ picture, onRetried }: { picture: BatchPicture; onRetried(): void }) {
  const { batch, jobs } = picture;
  const outdates = [batchKeys.list];
  const cancel = useAction({ run: () => cancelBatch(batch.id), outdates });
  const retry = useAction({
    run: () => retryBatch(batch.id),
    done: ({ retriedJobs }) => `Reading ${countOf(retriedJobs, "heat sheet")} again`,
    outdates,
    onDone: onRetried,
  });
  const isRunning = isUnderWay(picture);
  const failed = batch.failedJobs - batch.withoutSwimmer;
  const cancelled = jobs.filter(({ status }) => status === "cancelled").length;
  return (
    <>
      {failed + cancelled > 0 && (
        <WriteButton
          variant="default"
          leftSection={<IconRefresh size={16} aria-hidden />}
          loading={retry.isPending}
          onClick={() => retry.mutate()}
        >
          {cancelled === 0 ? "Try all failed again" : "Read the rest"}
        </WriteButton>
      )}
      {isRunning ? (
        <ConfirmButton
          question="Stop reading? What was found so far stays."
          confirm="Stop"
          loading={cancel.isPending}
          onConfirm={() => cancel.mutate()}
        >
          Cancel
        </ConfirmButton>
      ) : (
        <ButtonLink to="/batches/new" leftSection={<IconPlus size={16} aria-hidden />}>
          New schedule
        </ButtonLink>
      )}
    </>
  );
}

function Gone() {
  return (
    <>
      <PageHeader title="Heat sheets" back={back} />
      <Paper withBorder>
        <EmptyState
          icon={<IconCalendarOff size={40} />}
          title="This schedule is not here any more"
          action={<ButtonLink to="/batches/new">New schedule</ButtonLink>}
        >
          Schedules are removed some weeks after they were made. If you typed the address, check that all of it is
          there.
        </EmptyState>
      </Paper>
    </>
  );
}
