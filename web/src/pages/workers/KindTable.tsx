/** What waits and runs of each kind, how long one takes, and whether anybody serves it. */
import { Code, Table, Text } from "@mantine/core";
import { IconAlertTriangle, IconCheck } from "@tabler/icons-react";
import type { Stats } from "../../../../src/contract/system.ts";
import { TextLink } from "../../parts/ButtonLink.tsx";
import { formatCount, formatDuration, formatName } from "../../parts/format.ts";
import classes from "./KindTable.module.css";

export function KindTable({ kinds }: { kinds: Stats["byKind"] }) {
  const rows = Object.entries(kinds).sort(
    ([one, a], [other, b]) => b.pending + b.running - (a.pending + a.running) || one.localeCompare(other),
  );
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    <section className="scroll-x" tabIndex={0} aria-label="Kinds of jobs, scrolls sideways">
      <Table highlightOnHover verticalSpacing="xs" horizontalSpacing="md" miw={640}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Kind</Table.Th>
            <Table.Th className={classes.number}>Waiting</Table.Th>
            <Table.Th className={classes.number}>Running</Table.Th>
            <Table.Th className={classes.number}>Failed</Table.Th>
            <Table.Th className={classes.number}>Takes on average</Table.Th>
            <Table.Th>Served</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(([kind, { pending, running, failed, meanRunMs, served }]) => (
            <Table.Tr key={kind}>
              <Table.Td className={classes.kind}>
                <TextLink to="/jobs" search={{ kind }} size="sm" fw={500}>
                  {formatName(kind)}
                </TextLink>
              </Table.Td>
              <CountCell count={pending} />
              <CountCell count={running} />
              <CountCell count={failed} />
              <Table.Td className={classes.number}>{meanRunMs === null ? "–" : formatDuration(meanRunMs)}</Table.Td>
              <Table.Td miw={served ? undefined : 260}>{served ? <Served /> : <Unserved />}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  );
}

/** None is the rule: what is there stands out. */
function CountCell({ count }: { count: number }) {
  return (
    <Table.Td className={classes.number} c={count === 0 ? "dimmed" : undefined}>
      {formatCount(count)}
    </Table.Td>
  );
}

function Served() {
  return (
    <Text size="sm" c="dimmed" className={classes.served}>
      <IconCheck size={15} aria-hidden /> yes
    </Text>
  );
}

function Unserved() {
  return (
    <Text size="sm" className={classes.served}>
      <IconAlertTriangle size={15} aria-hidden className={classes.warning} />
      <span>
        nobody serves this kind: start <Code>docmill worker</Code> with a config that has it
      </span>
    </Text>
  );
}
