/** Shows on the product's own samples what it does: each goes through its pipeline while one looks on. */
import { Button, Group, SimpleGrid, Text, Title } from "@mantine/core";
import { useEffect, useId } from "react";
import type { StartedSamples } from "../../../../../src/contract/system.ts";
import { SampleBook } from "./SampleBook.tsx";
import { SampleDocuments } from "./SampleDocuments.tsx";
import { SampleSheets } from "./SampleSheets.tsx";
import { useAreGone } from "./use-are-gone.ts";

export function SamplesPanel({ samples, onPutAway }: { samples: StartedSamples; onPutAway(): void }) {
  const heading = useId();
  const areGone = useAreGone(samples);
  useEffect(() => {
    if (areGone) onPutAway();
  }, [areGone, onPutAway]);
  return (
    <section aria-labelledby={heading}>
      <Group justify="space-between" align="flex-end" mb="xs" wrap="nowrap">
        <div>
          <Title order={2} size="h5" id={heading}>
            Samples
          </Title>
          <Text size="sm" c="dimmed">
            Docmill at work on samples of its own. What it makes of them stays until you delete it.
          </Text>
        </div>
        <Button size="xs" variant="default" onClick={onPutAway} style={{ flexShrink: 0 }}>
          Hide
        </Button>
      </Group>
      <SimpleGrid cols={{ base: 1, md: 3 }} spacing="md">
        <SampleDocuments ids={samples.documentIds} />
        <SampleSheets id={samples.batchId} />
        <SampleBook id={samples.bookId} />
      </SimpleGrid>
    </section>
  );
}
