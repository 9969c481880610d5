/** The uploads of this tab in a corner of every page: what failed first, then what is under way, then what has arrived. */
import { ActionIcon, Box, Button, Group, Paper, Stack, Text } from "@mantine/core";
import { IconChevronDown, IconChevronUp } from "@tabler/icons-react";
import { useState } from "react";
import { countOf, formatCount } from "../parts/format.ts";
import { UploadLine } from "./UploadLine.tsx";
import { useUploads } from "./UploadsProvider.tsx";
import { isUnderWay } from "./upload-store.ts";

/** Of each sort. People drop folders of thousands, and nobody reads as many lines. */
const mostLines = 20;

export function UploadsPanel() {
  const { uploads, retry, remove, clear } = useUploads();
  const [folded, setFolded] = useState(false);
  if (uploads.length === 0) return null;
  const failed = uploads.filter(({ state }) => state === "failed");
  const underWay = uploads.filter(isUnderWay);
  const sent = uploads.filter(({ state }) => state === "sent");
  const title =
    underWay.length > 0
      ? `Uploading ${countOf(underWay.length, "file")}`
      : failed.length > 0
        ? `${countOf(failed.length, "file")} not uploaded`
        : `${countOf(sent.length, "file")} uploaded`;
  const groups = [
    { of: failed, word: "not uploaded" },
    { of: underWay, word: "waiting" },
    { of: sent, word: "uploaded" },
  ];
  return (
    <Paper
      component="section"
      aria-label="Uploads"
      withBorder
      shadow="md"
      p="sm"
      pos="fixed"
      bottom={16}
      right={16}
      w="min(360px, calc(100vw - 32px))"
      className="no-print"
      style={{ zIndex: 150 }}
    >
      <Group justify="space-between" wrap="nowrap">
        <Text fw={600} size="sm" aria-live="polite">
          {title}
        </Text>
        <Group gap={4} wrap="nowrap">
          {underWay.length === 0 && (
            <Button size="compact-xs" variant="subtle" onClick={clear}>
              {failed.length === 0 ? "Done" : "Clear"}
            </Button>
          )}
          <ActionIcon
            color="gray"
            onClick={() => setFolded(!folded)}
            aria-expanded={!folded}
            aria-label={folded ? "Show uploads" : "Fold uploads"}
          >
            {folded ? <IconChevronUp size={16} /> : <IconChevronDown size={16} />}
          </ActionIcon>
        </Group>
      </Group>
      {!folded && (
        <Box mah={260} mt="xs" pr="xs" miw={0} style={{ overflowY: "auto" }}>
          <Stack component="ul" gap="xs" m={0} p={0} style={{ listStyle: "none" }}>
            {groups.flatMap(({ of, word }) => [
              ...of
                .slice(0, mostLines)
                .map((upload) => <UploadLine key={upload.id} upload={upload} onRetry={retry} onRemove={remove} />),
              of.length > mostLines && (
                <Text key={word} component="li" size="sm" c="dimmed">
                  and {formatCount(of.length - mostLines)} more {word}
                </Text>
              ),
            ])}
          </Stack>
        </Box>
      )}
    </Paper>
  );
}
