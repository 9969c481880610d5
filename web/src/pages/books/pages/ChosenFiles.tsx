/** What has been chosen: how many, and which on demand. */
import { Anchor, Collapse, Group, List, ScrollArea, Text } from "@mantine/core";
import { useDisclosure, useId } from "@mantine/hooks";
import { countOf, formatBytes } from "../../../parts/format.ts";

export function ChosenFiles({ files }: { files: readonly File[] }) {
  const [opened, { toggle }] = useDisclosure(false);
  const id = useId();
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  return (
    <div>
      <Group gap="sm">
        <Text fw={500} role="status">
          Selected: {countOf(files.length, "image")}
        </Text>
        <Text size="sm" c="dimmed">
          {formatBytes(bytes)}
        </Text>
        <Anchor component="button" type="button" size="sm" onClick={toggle} aria-expanded={opened} aria-controls={id}>
          {opened ? "Hide the list" : "Show the list"}
        </Anchor>
      </Group>
      <Collapse expanded={opened} id={id}>
        <ScrollArea.Autosize mah={220} mt="xs" viewportProps={{ tabIndex: 0, "aria-label": "Selected images" }}>
          <List type="ordered" size="sm" pl="lg">
            {files.map((file, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two may have the same name, and none has more than its place.
              <List.Item key={place}>
                {file.name}{" "}
                <Text span size="sm" c="dimmed">
                  {formatBytes(file.size)}
                </Text>
              </List.Item>
            ))}
          </List>
        </ScrollArea.Autosize>
      </Collapse>
    </div>
  );
}
