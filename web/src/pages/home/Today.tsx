/** Today in numbers, and how much was done in each minute of the last hour. */
import { Box, Group, Paper, SimpleGrid, Text, Title } from "@mantine/core";
import { useId } from "react";
import { useActivity } from "../../live/ActivityProvider.tsx";
import { BarSpark } from "../../parts/BarSpark.tsx";
import { countOf, formatCount } from "../../parts/format.ts";
import { useNow } from "../../parts/use-now.ts";
import { countToday } from "./count-today.ts";
import classes from "./Today.module.css";

const noMinutes: readonly number[] = Array.from({ length: 60 }, () => 0);

export function Today() {
  const heading = useId();
  const { stats } = useActivity();
  const now = useNow(60_000);
  const counts = stats && countToday(stats.hours, now);
  const minutes = stats?.endedPerMinute ?? noMinutes;
  const ended = minutes.reduce((sum, minute) => sum + minute, 0);
  return (
    <Paper withBorder p="md" component="section" aria-labelledby={heading} className={classes.today}>
      <Box>
        <Title order={2} size="h5" id={heading} mb="xs">
          Today
        </Title>
        <SimpleGrid component="dl" cols={{ base: 2, xs: 4 }} spacing="md" verticalSpacing="xs" m={0}>
          <Count name="came in" value={counts?.cameIn} />
          <Count name="done" value={counts?.done} />
          <Count name="failed" value={counts?.failed} alarming />
          <Count name="under way" value={stats && stats.jobs.pending + stats.jobs.running} />
        </SimpleGrid>
      </Box>
      <Box>
        <Group justify="space-between" gap="xs" mb={6} wrap="nowrap">
          <Text size="sm" c="dimmed">
            Jobs ended, last 60 minutes
          </Text>
          <Text size="sm" c="dimmed" className="numbers">
            {stats ? formatCount(ended) : "–"}
          </Text>
        </Group>
        <BarSpark
          values={minutes}
          label={`Jobs ended in each of the last 60 minutes: ${ended} in all, ${Math.max(...minutes)} at most in one.`}
          describe={(value, place) => `${countOf(value, "job")}, ${describeMinute(minutes.length - 1 - place)}`}
          height={44}
        />
      </Box>
    </Paper>
  );
}

function describeMinute(ago: number): string {
  return ago === 0 ? "this minute" : `${ago} min ago`;
}

/** A line stands for what is not known yet: it is as high as a number. */
function Count({ name, value, alarming = false }: { name: string; value: number | undefined; alarming?: boolean }) {
  const alarmed = alarming && value !== undefined && value > 0;
  return (
    <div className={classes.count}>
      <Text component="dt" size="sm" c="dimmed">
        {name}
      </Text>
      <Text
        component="dd"
        m={0}
        fw={600}
        fz={26}
        lh={1.2}
        className="numbers"
        c={alarmed ? "var(--mantine-color-error)" : undefined}
      >
        {value === undefined ? "–" : formatCount(value)}
      </Text>
    </div>
  );
}
