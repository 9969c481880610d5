/** What has been chosen: how many, and which on demand. Where the server refused them the list is open, to take out what it named. */
import { Anchor, CloseButton, Collapse, Group, List, ScrollArea, Text } from "@mantine/core";
import { useId } from "@mantine/hooks";
import { useState } from "react";
import { countOf, formatBytes } from "../../../parts/format.ts";

export interface ChosenFilesProps {
  files: readonly File[];
  isRefused: boolean;
  isBusy: boolean;
  onRemove(place: number): void;
}

export function ChosenFiles({ files, isRefused, isBusy, onRemove }: ChosenFilesProps) {
  const [opened, setOpened] = useState(isRefused);
  const [wasRefused, setWasRefused] = useState(isRefused);
  // Opened once for each refusal: whoever folds it then, or takes a file out, finds it as they left it.
  if (isRefused !== wasRefused) {
    setWasRefused(isRefused);
    if (isRefused) setOpened(true);
  }
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
        <Anchor
          component="button"
          type="button"
          size="sm"
          onClick={() => setOpened(!opened)}
          aria-expanded={opened}
          aria-controls={id}
        >
          {opened ? "Hide the list" : "Show the list"}
        </Anchor>
      </Group>
      <Collapse expanded={opened} id={id}>
        <ScrollArea.Autosize mah={220} mt="xs" viewportProps={{ tabIndex: 0, "aria-label": "Selected images" }}>
          <List type="ordered" size="sm" pl="lg">
            {files.map((file, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two may have the same name, and none has more than its place.
              <List.Item key={place}>
                <Group component="span" display="inline-flex" gap="xs" wrap="nowrap">
                  <Text span size="sm" style={{ overflowWrap: "anywhere" }}>
                    {file.name}
                  </Text>
                  <Text span size="sm" c="dimmed" style={{ whiteSpace: "nowrap" }}>
                    {formatBytes(file.size)}
                  </Text>
                  <CloseButton
                    size="sm"
                    aria-label={`Take out ${file.name}`}
                    disabled={isBusy}
                    onClick={() => onRemove(place)}
                  />
                </Group>
              </List.Item>
            ))}
          </List>
        </ScrollArea.Autosize>
      </Collapse>
    </div>
  );
}
