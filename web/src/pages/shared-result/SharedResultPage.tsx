/** `/results/$code`: what one heat sheet has for a swimmer, for whoever got the link. */
import { Container, Group, Paper, Stack, Text } from "@mantine/core";
import { IconCalendarOff } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import type { SharedResult } from "../../../../src/contract/batches.ts";
import { sharedResult } from "../../api/batches.ts";
import type { ApiError } from "../../api/request.ts";
import { ButtonLink } from "../../parts/ButtonLink.tsx";
import { EmptyState } from "../../parts/EmptyState.tsx";
import { ErrorNotice } from "../../parts/ErrorNotice.tsx";
import { LoadingRows } from "../../parts/LoadingRows.tsx";
import { PageHeader } from "../../parts/PageHeader.tsx";
import { SmallHeader } from "../../shell/SmallHeader.tsx";
import { describeMeets } from "../batches/schedule/describe-meets.ts";
import { groupWarnings } from "../batches/schedule/group-warnings.ts";
import { PrintTitle } from "../batches/schedule/PrintTitle.tsx";
import styles from "../batches/schedule/Schedule.module.css";
import { Schedule } from "../batches/schedule/Schedule.tsx";
import { ScheduleButtons } from "../batches/schedule/ScheduleButtons.tsx";
import { formatDates } from "../batches/schedule/swim-words.ts";
import { WarningList } from "../batches/schedule/WarningList.tsx";

export function SharedResultPage() {
  const { code } = useParams({ from: "/results/$code" });
  const { data, error, refetch } = useQuery(sharedResult(code));
  return (
    <>
      <SmallHeader />
      <Container component="main" size="md" py="md">
        {data ? <Result result={data} /> : <Missing error={error} onRetry={() => void refetch()} />}
      </Container>
    </>
  );
}

function Result({ result }: { result: SharedResult }) {
  const { code, swimmerName, filename, events, meetName, expiresAt } = result;
  const meets = describeMeets([result]);
  // A sheet by itself: all its swims have its number.
  const sources = [...new Set(events.map(({ source }) => source.sequence))].map((sequence) => ({
    sequence,
    filename,
    meetName,
  }));
  return (
    <>
      <PageHeader
        title={swimmerName}
        description={
          <>
            {meets.map((meet) => (
              <div key={meet}>{meet}</div>
            ))}
            From {filename ?? "one heat sheet"} · this link works until {formatDates(expiresAt.slice(0, 10))}
          </>
        }
        actions={<ScheduleButtons path={`/results/${code}`} />}
      />
      <Paper withBorder p="md" component="section" aria-label="Schedule" className={styles.paper}>
        <Stack gap="md">
          <PrintTitle swimmer={swimmerName} meets={meets} />
          <WarningList warnings={groupWarnings(result.warnings, [filename])} />
          {events.length > 0 ? (
            <Schedule events={events} sources={sources} dayHeading={2} />
          ) : (
            <EmptyState icon={<IconCalendarOff size={40} />} title="No swims in this heat sheet">
              It may be a timeline, which has start times and no swimmers.
            </EmptyState>
          )}
        </Stack>
      </Paper>
      <Group justify="space-between" mt="md" className="no-print">
        <Text size="sm" c="dimmed">
          Heat sheets change. What hangs at the pool is right.
        </Text>
        <ButtonLink to="/batches/new" variant="default">
          Make your own schedule
        </ButtonLink>
      </Group>
    </>
  );
}

function Missing({ error, onRetry }: { error: ApiError | null; onRetry(): void }) {
  if (!error) {
    return (
      <Paper withBorder>
        <title>Schedule · Docmill</title>
        <LoadingRows />
      </Paper>
    );
  }
  if (error.status !== 404) {
    return <ErrorNotice title="The schedule could not be loaded" error={error} onRetry={onRetry} />;
  }
  return (
    <>
      <PageHeader title="Schedule" />
      <Paper withBorder>
        <EmptyState
          icon={<IconCalendarOff size={40} />}
          title="This schedule is not here any more"
          action={<ButtonLink to="/batches/new">Make a new schedule</ButtonLink>}
        >
          Links to schedules work for some weeks. If you typed the address, check that all of it is there; otherwise ask
          whoever sent it for a new one.
        </EmptyState>
      </Paper>
    </>
  );
}
