/** A swimmer's swims by day and session, for the screen and for paper. */
import { Group, Stack, Text, Title } from "@mantine/core";
import type { SwimEvent } from "../../../../../src/contract/batches.ts";
import { countOf, formatDay } from "../../../parts/format.ts";
import { groupSchedule, type ScheduleSession, type ScheduleSource } from "./group-schedule.ts";
import styles from "./Schedule.module.css";
import { SwimRow } from "./SwimRow.tsx";

export interface ScheduleProps {
  events: readonly SwimEvent[];
  sources: readonly ScheduleSource[];
  /** The level of its days among the page's headings. */
  dayHeading?: 2 | 3;
}

export function Schedule({ events, sources, dayHeading = 3 }: ScheduleProps) {
  const days = groupSchedule(events, sources);
  const severalMeets = new Set(days.flatMap(({ sessions }) => sessions.map(({ meet }) => meet))).size > 1;
  return (
    <Stack gap="lg">
      {days.map(({ date, sessions }) => (
        <section key={date}>
          <Title order={dayHeading} size="h4" mb="xs" className={styles.day}>
            {date === null ? "Day not given" : formatDay(date)}
          </Title>
          {sessions.map((session) => (
            <Session
              key={`${session.meet} ${session.name}`}
              session={session}
              sources={sources}
              heading={dayHeading === 2 ? 3 : 4}
              showsMeet={severalMeets}
            />
          ))}
        </section>
      ))}
      {events.some(({ estimated }) => estimated) && (
        <Text size="sm" c="dimmed">
          ~ The start is estimated from the seed times of the heats before. Be at the pool early: meets run ahead, too.
        </Text>
      )}
    </Stack>
  );
}

interface SessionProps {
  session: ScheduleSession;
  sources: readonly ScheduleSource[];
  heading: 3 | 4;
  showsMeet: boolean;
}

function Session({ session: { name, meet, events }, sources, heading, showsMeet }: SessionProps) {
  return (
    <section>
      <Group justify="space-between" gap="md" mt="sm" mb={4} wrap="nowrap" align="baseline" className={styles.day}>
        <Title order={heading} size="sm" c="dimmed" fw={600}>
          {[name ?? "Swims", showsMeet && meet].filter(Boolean).join(" · ")}
        </Title>
        <Text size="sm" c="dimmed" style={{ whiteSpace: "nowrap" }}>
          {countOf(events.length, "swim")}
        </Text>
      </Group>
      <ol className={styles.swims}>
        {events.map((event) => (
          <SwimRow key={keyOf(event)} event={event} source={describeSource(event, sources)} />
        ))}
      </ol>
    </section>
  );
}

function keyOf({ eventNumber, heatNumber, lane, rank, source }: SwimEvent): string {
  return [source.sequence, source.page, source.bbox?.y, eventNumber, heatNumber, lane, rank].join(" ");
}

function describeSource({ source: { sequence, page } }: SwimEvent, sources: readonly ScheduleSource[]): string {
  const sheet = sources.find((one) => one.sequence === sequence)?.filename;
  return sheet ? `${sheet}, page ${page}` : `Page ${page}`;
}
