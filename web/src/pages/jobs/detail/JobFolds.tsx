/** What one looks at only when one wants to know more: items, events, input and result, folded. */
import { Accordion, Paper, Text } from "@mantine/core";
import { type ReactNode, useState } from "react";
import type { JobDetail } from "../../../../../src/contract/jobs.ts";
import { formatCount } from "../../../parts/format.ts";
import { JobEvents } from "./JobEvents.tsx";
import classes from "./JobFolds.module.css";
import { JobItems } from "./JobItems.tsx";
import { JsonBlock } from "./JsonBlock.tsx";

export function JobFolds({ job }: { job: JobDetail }) {
  const [opened, setOpened] = useState<string[]>([]);
  const items = job.items.completed + job.items.failed;
  const fold = (title: string, count: number | undefined, content: () => ReactNode) => (
    <Accordion.Item value={title}>
      <Accordion.Control>
        <Text span fw={600}>
          {title}
        </Text>
        {count !== undefined && (
          <Text span c="dimmed" ml="xs" className="numbers">
            {formatCount(count)}
          </Text>
        )}
      </Accordion.Control>
      <Accordion.Panel>{opened.includes(title) && content()}</Accordion.Panel>
    </Accordion.Item>
  );
  return (
    <Paper withBorder>
      <Accordion multiple order={2} value={opened} onChange={setOpened} classNames={{ item: classes.fold }}>
        {items > 0 && fold("Items", items, () => <JobItems job={job} />)}
        {fold("Events", job.lastEventId, () => (
          <JobEvents jobId={job.id} lastEventId={job.lastEventId} />
        ))}
        {fold("Input", undefined, () => (
          <JsonBlock label="the input" value={job.input} />
        ))}
        {job.result !== null && fold("Result", undefined, () => <JsonBlock label="the result" value={job.result} />)}
        {job.detail !== null && fold("Detail", undefined, () => <JsonBlock label="the detail" value={job.detail} />)}
      </Accordion>
    </Paper>
  );
}
