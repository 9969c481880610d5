/** Processes that work: where they are, what they serve, how busy they are, and how long they are taken for alive. */
import { Group, Progress, Table, Text } from "@mantine/core";
import type { WorkerList } from "../../../../src/contract/system.ts";
import { Ago } from "../../parts/Ago.tsx";
import { formatName } from "../../parts/format.ts";
import { progressAria } from "../../parts/progress-aria.ts";
import { StateBadge } from "../../parts/StateBadge.tsx";
import classes from "./WorkerTable.module.css";

export type Workers = WorkerList["items"];

export function WorkerTable({ label, workers }: { label: string; workers: Workers }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    <section className="scroll-x" tabIndex={0} aria-label={label}>
      <Table highlightOnHover verticalSpacing="xs" horizontalSpacing="md" miw={960}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>State</Table.Th>
            <Table.Th>Host</Table.Th>
            <Table.Th className={classes.oneLine}>Slots in use</Table.Th>
            <Table.Th>Serves</Table.Th>
            <Table.Th>Started</Table.Th>
            <Table.Th className={classes.oneLine}>Last heartbeat</Table.Th>
            <Table.Th className={classes.oneLine}>Lease until</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {workers.map(({ id, host, pid, version, kinds, slots, running, state, ...times }) => (
            <Table.Tr key={id}>
              <Table.Td miw={100}>
                <StateBadge state={state} />
              </Table.Td>
              <Table.Td className={classes.oneLine}>
                <Text size="sm" fw={500}>
                  {host}
                </Text>
                <Text size="xs" c="dimmed">
                  process {pid}, version {version}
                </Text>
              </Table.Td>
              <Table.Td miw={120}>
                <Slots running={running} slots={slots} />
              </Table.Td>
              <Table.Td miw={220} maw={320}>
                <Text size="xs" c="dimmed">
                  {kinds.map(formatName).join(", ")}
                </Text>
              </Table.Td>
              <Table.Td className={classes.oneLine}>
                <Ago at={times.startedAt} />
              </Table.Td>
              <Table.Td className={classes.oneLine}>
                <Ago at={times.heartbeatAt} />
              </Table.Td>
              <Table.Td className={classes.oneLine}>
                <Ago at={times.leaseExpiresAt} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  );
}

function Slots({ running, slots }: { running: number; slots: number }) {
  const used = slots === 0 ? 0 : (running / slots) * 100;
  return (
    <Group gap="xs" wrap="nowrap">
      <Progress.Root flex={1} miw={48}>
        <Progress.Section value={used} {...progressAria("Slots in use", used, `${running} of ${slots}`)} />
      </Progress.Root>
      <Text size="sm" className={classes.oneLine}>
        {running} of {slots}
      </Text>
    </Group>
  );
}
