/** The merged schedule as far as it is known: from nothing yet, over the first sheet, to all of them or none. */
import { Group, Paper, Skeleton, Stack, Text, Title } from "@mantine/core";
import { calendarUrl } from "../../../api/batches.ts";
import { ErrorNotice } from "../../../parts/ErrorNotice.tsx";
import { countOf } from "../../../parts/format.ts";
import { describeMeets } from "../schedule/describe-meets.ts";
import { groupWarnings } from "../schedule/group-warnings.ts";
import { PrintTitle } from "../schedule/PrintTitle.tsx";
import styles from "../schedule/Schedule.module.css";
import { Schedule } from "../schedule/Schedule.tsx";
import { ScheduleButtons } from "../schedule/ScheduleButtons.tsx";
import { WarningList } from "../schedule/WarningList.tsx";
import { AgainLink } from "./AgainLink.tsx";
import type { BatchPicture } from "./apply-batch-event.ts";
import { LeftOut } from "./LeftOut.tsx";
import { NothingFound } from "./NothingFound.tsx";
import { isUnderWay } from "./use-batch.ts";
import { useSchedule } from "./use-schedule.ts";

export function SchedulePanel({ picture }: { picture: BatchPicture }) {
  const { batch, jobs } = picture;
  const { results, error, refetch } = useSchedule(batch.id, jobs);
  const isRunning = isUnderWay(picture);

  const notice = error && (
    <ErrorNotice title="The schedule could not be loaded" error={error} onRetry={() => void refetch()} />
  );
  if (notice && !results) return notice;
  if (!results || (results.totalEvents === 0 && isRunning)) return <NotYet picture={picture} />;

  const { events, sources } = results;
  const filenames = jobs.map(({ filename }) => filename);
  const warnings = groupWarnings(results.warnings, filenames);
  if (events.length === 0) {
    const nearMisses = [...new Set(warnings.flatMap(({ names }) => names))];
    return (
      <Paper withBorder p="md">
        <NothingFound batchId={batch.id} results={results} nearMisses={nearMisses} />
      </Paper>
    );
  }

  const calendar = events.some(({ sessionDate }) => sessionDate !== null)
    ? (minutes: string) => calendarUrl(batch.id, minutes)
    : undefined;
  // A timeline has no swims, and may call the meet by another name.
  const meets = describeMeets(sources.filter(({ eventCount }) => eventCount > 0));
  return (
    <Paper withBorder p="md" component="section" aria-label="Schedule" className={styles.paper}>
      <Stack gap="md">
        <PrintTitle swimmer={batch.swimmerName} meets={meets} />
        <div className="no-print">
          <Group justify="space-between" gap="sm" mb="xs">
            <Title order={2} size="h3">
              Schedule
            </Title>
            <Group gap="xs" className={styles.buttons}>
              <ScheduleButtons path={`/batches/${batch.id}`} calendar={calendar} />
            </Group>
          </Group>
          <Text size="sm" c="dimmed" aria-live="polite">
            {countOf(events.length, "swim")}
            {isRunning && " so far"}
            {meets.length === 1 && ` · ${meets[0]}`}
          </Text>
        </div>
        {notice}
        <WarningList
          warnings={warnings}
          offer={(name) => (
            <AgainLink key={name} swimmer={name} batchId={batch.id} size="xs" variant="default">
              Schedule of {name}
            </AgainLink>
          )}
        />
        <Schedule events={events} sources={sources} />
        <LeftOut swimmerName={batch.swimmerName} jobs={jobs} />
      </Stack>
    </Paper>
  );
}

function NotYet({ picture }: { picture: BatchPicture }) {
  const text = isUnderWay(picture)
    ? "Swims appear here as soon as the first heat sheet is read."
    : picture.batch.status === "cancelled"
      ? "It was cancelled before a heat sheet was read."
      : "Loading the schedule.";
  return (
    <Paper withBorder p="md" component="section" aria-label="Schedule">
      <Title order={2} size="h3">
        Schedule
      </Title>
      <Text size="sm" c="dimmed" mb="md">
        {text}
      </Text>
      {picture.batch.status !== "cancelled" && (
        <Stack gap="sm" aria-hidden>
          <Skeleton height={56} animate={isUnderWay(picture)} />
          <Skeleton height={56} animate={isUnderWay(picture)} />
          <Skeleton height={56} animate={isUnderWay(picture)} />
        </Stack>
      )}
    </Paper>
  );
}
