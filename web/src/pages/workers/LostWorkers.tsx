/** Processes whose lease ran out, folded: they are history, and what they did is in other hands. */
import { Accordion, Paper, Text } from "@mantine/core";
import { countOf } from "../../parts/format.ts";
import { type Workers, WorkerTable } from "./WorkerTable.tsx";

export function LostWorkers({ workers }: { workers: Workers }) {
  return (
    <Paper withBorder>
      <Accordion order={2} styles={{ item: { borderBottom: 0 }, content: { padding: 0 } }}>
        <Accordion.Item value="lost">
          <Accordion.Control>
            <Text span fw={600}>
              {countOf(workers.length, "lost process", "lost processes")}
            </Text>
          </Accordion.Control>
          <Accordion.Panel>
            <Text size="sm" c="dimmed" px="md" py="sm">
              They stopped without a word: killed, crashed, or cut off from the database. What they worked on was taken
              back and goes on elsewhere from its last checkpoint; jobs that must not start again by themselves have
              failed and wait for a retry. Nothing they might still write is accepted.
            </Text>
            <WorkerTable label="Lost processes, scrolls sideways" workers={workers} />
          </Accordion.Panel>
        </Accordion.Item>
      </Accordion>
    </Paper>
  );
}
