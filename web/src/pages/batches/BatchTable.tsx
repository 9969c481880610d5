/** Schedules as a table, and as cards where there is no room for one. */
import { Group, Paper, Stack, Table, Text } from "@mantine/core";
import type { BatchSummary } from "../../../../src/contract/batches.ts";
import { Ago } from "../../parts/Ago.tsx";
import { TextLink } from "../../parts/ButtonLink.tsx";
import { ProgressLine } from "../../parts/ProgressLine.tsx";
import { StateBadge } from "../../parts/StateBadge.tsx";
import { lookOfBatch } from "./view/sheet-words.ts";

export function BatchTable({ batches }: { batches: readonly BatchSummary[] }) {
  return (
    <>
      <Paper withBorder visibleFrom="sm">
        <Table highlightOnHover verticalSpacing="xs">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Swimmer</Table.Th>
              <Table.Th>State</Table.Th>
              <Table.Th w="34%">Heat sheets read</Table.Th>
              <Table.Th>Made</Table.Th>
              <Table.Th>Removed</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {batches.map((batch) => (
              <Table.Tr key={batch.id}>
                <Table.Td>
                  <Swimmer batch={batch} />
                </Table.Td>
                <Table.Td>
                  <State batch={batch} />
                </Table.Td>
                <Table.Td>
                  <Sheets batch={batch} />
                </Table.Td>
                <Table.Td>
                  <Ago at={batch.createdAt} size="sm" />
                </Table.Td>
                <Table.Td>
                  <Ago at={batch.expiresAt} size="sm" />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Paper>
      <Stack gap="sm" hiddenFrom="sm">
        {batches.map((batch) => (
          <Paper key={batch.id} withBorder p="md">
            <Group justify="space-between" wrap="nowrap" align="flex-start">
              <Swimmer batch={batch} />
              <State batch={batch} />
            </Group>
            <Text size="sm" c="dimmed" mb="xs">
              Made <Ago at={batch.createdAt} />, removed <Ago at={batch.expiresAt} />
            </Text>
            <Sheets batch={batch} />
          </Paper>
        ))}
      </Stack>
    </>
  );
}

function Swimmer({ batch: { id, swimmerName } }: { batch: BatchSummary }) {
  return (
    <TextLink to="/batches/$batchId" params={{ batchId: id }} fw={500}>
      {swimmerName}
    </TextLink>
  );
}

function State({ batch }: { batch: BatchSummary }) {
  const { state, word } = lookOfBatch(batch);
  return <StateBadge state={state} label={word} />;
}

function Sheets({ batch }: { batch: BatchSummary }) {
  const { swimmerName, completedJobs, failedJobs, withoutSwimmer, totalJobs } = batch;
  return (
    <ProgressLine
      label={`Heat sheets read for ${swimmerName}`}
      done={completedJobs + withoutSwimmer}
      failed={failedJobs - withoutSwimmer}
      total={totalJobs}
    />
  );
}
