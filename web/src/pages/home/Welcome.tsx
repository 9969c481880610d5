/** What somebody sees who has nothing here yet: what Docmill is for, and a way to see it work at once. */
import { Group, List, Paper, Stack, Text, Title } from "@mantine/core";
import { IconBook2, IconFileText, IconPlayerPlay, IconSwimming } from "@tabler/icons-react";
import { WriteButton } from "../../parts/WriteButton.tsx";
import { useStartSamples } from "./samples/use-start-samples.ts";

const iconProps = { size: 20, stroke: 1.6, "aria-hidden": true } as const;

export function Welcome() {
  const start = useStartSamples();
  return (
    <Paper withBorder p="xl" component="section" aria-label="What Docmill does">
      <Stack gap="md">
        <Title order={2} size="h4">
          Documents in, answers out
        </Title>
        <List spacing="xs" center ps={0} my={4}>
          <List.Item icon={<IconFileText {...iconProps} />}>
            Documents and scans become text, tables and fields you can search.
          </List.Item>
          <List.Item icon={<IconSwimming {...iconProps} />}>
            Heat sheets of a swim meet become one swimmer’s schedule.
          </List.Item>
          <List.Item icon={<IconBook2 {...iconProps} />}>Scanned books become guidelines, topic by topic.</List.Item>
        </List>
        <Group gap="md">
          <WriteButton
            leftSection={<IconPlayerPlay size={16} aria-hidden />}
            loading={start.isPending}
            onClick={() => start.mutate()}
          >
            Try it with samples
          </WriteButton>
          <Text size="sm" c="dimmed">
            Takes about a minute. Everything stays on this machine unless you set up a service.
          </Text>
        </Group>
      </Stack>
    </Paper>
  );
}
