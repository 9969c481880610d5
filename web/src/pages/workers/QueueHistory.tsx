/** The last hour of the queue: said in a sentence, drawn, and as a table for whoever reads rather than looks. */
import { Button, Group, Paper, ScrollArea, Table, Text, Title } from "@mantine/core";
import { IconChartLine, IconTable } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import type { Stats } from "../../../../src/contract/system.ts";
import { countOf, formatCount } from "../../parts/format.ts";
import classes from "./KindTable.module.css";
import { listMinutes } from "./list-minutes.ts";

/** That of both charts together, so that nothing jumps when they come. */
export const chartHeight = 240;

export function QueueHistory({ stats, children }: { stats: Stats; children: ReactNode }) {
  const [asTable, setAsTable] = useState(false);
  return (
    <Paper withBorder p="md" component="section" aria-label="The last hour">
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h4">
          The last hour
        </Title>
        <Button
          size="xs"
          variant="default"
          onClick={() => setAsTable(!asTable)}
          leftSection={asTable ? <IconChartLine size={16} aria-hidden /> : <IconTable size={16} aria-hidden />}
        >
          {asTable ? "As charts" : "As a table"}
        </Button>
      </Group>
      <Text size="sm" c="dimmed" mb="md">
        {describeHour(stats)}
      </Text>
      {asTable ? <MinuteTable stats={stats} /> : children}
    </Paper>
  );
}

function describeHour({ unfinishedPerMinute, createdPerMinute, endedPerMinute }: Stats): string {
  const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);
  const most = Math.max(0, ...unfinishedPerMinute);
  return (
    `${countOf(unfinishedPerMinute.at(-1) ?? 0, "job")} unfinished now, ${formatCount(most)} at most. ` +
    `${formatCount(sum(createdPerMinute))} came in, ${formatCount(sum(endedPerMinute))} ended.`
  );
}

function MinuteTable({ stats }: { stats: Stats }) {
  return (
    <ScrollArea h={chartHeight} type="auto" viewportProps={{ tabIndex: 0, role: "region", "aria-label": "By minute" }}>
      <Table stickyHeader verticalSpacing={4}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Minute</Table.Th>
            <Table.Th className={classes.number}>Unfinished</Table.Th>
            <Table.Th className={classes.number}>Came in</Table.Th>
            <Table.Th className={classes.number}>Ended</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {listMinutes(stats)
            .toReversed()
            .map(({ time, unfinished, created, ended }) => (
              <Table.Tr key={time}>
                <Table.Td style={{ whiteSpace: "nowrap" }}>{time}</Table.Td>
                <Table.Td className={classes.number}>{formatCount(unfinished)}</Table.Td>
                <Table.Td className={classes.number}>{formatCount(created)}</Table.Td>
                <Table.Td className={classes.number}>{formatCount(ended)}</Table.Td>
              </Table.Tr>
            ))}
        </Table.Tbody>
      </Table>
    </ScrollArea>
  );
}
