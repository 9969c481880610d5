/** The uploads of this tab in a corner of every page, with a bar each. */
import {
  ActionIcon,
  Anchor,
  Button,
  CloseButton,
  Group,
  Paper,
  Progress,
  ScrollArea,
  Stack,
  Text,
} from "@mantine/core";
import { IconChevronDown, IconChevronUp } from "@tabler/icons-react";
import { useState } from "react";
import { TextLink } from "../parts/ButtonLink.tsx";
import { countOf } from "../parts/format.ts";
import { useUploads } from "./UploadsProvider.tsx";
import type { Upload } from "./upload-store.ts";

export function UploadsPanel() {
  const { uploads, retry, remove, clear } = useUploads();
  const [folded, setFolded] = useState(false);
  if (uploads.length === 0) return null;
  const open = uploads.filter(({ state }) => state === "waiting" || state === "sending").length;
  const failed = uploads.filter(({ state }) => state === "failed").length;
  const title =
    open > 0
      ? `Uploading ${countOf(open, "file")}`
      : failed > 0
        ? `${countOf(failed, "file")} not uploaded`
        : `${countOf(uploads.length, "file")} uploaded`;
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
          {open === 0 && failed === 0 && (
            <Button size="compact-xs" variant="subtle" onClick={clear}>
              Done
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
        <ScrollArea.Autosize mah={260} mt="xs" offsetScrollbars>
          <Stack gap="xs">
            {uploads.map((upload) => (
              <UploadLine key={upload.id} upload={upload} onRetry={retry} onRemove={remove} />
            ))}
          </Stack>
        </ScrollArea.Autosize>
      )}
    </Paper>
  );
}

interface UploadLineProps {
  upload: Upload;
  onRetry(id: string): void;
  onRemove(id: string): void;
}

function UploadLine({ upload: { id, file, state, share, documentId, error }, onRetry, onRemove }: UploadLineProps) {
  return (
    <div>
      <Group justify="space-between" wrap="nowrap" gap="xs">
        {documentId === undefined ? (
          <Text size="sm" truncate>
            {file.name}
          </Text>
        ) : (
          <TextLink to="/documents/$documentId" params={{ documentId }} size="sm" truncate>
            {file.name}
          </TextLink>
        )}
        <CloseButton
          size="sm"
          aria-label={state === "sent" ? `Take ${file.name} off the list` : `Stop uploading ${file.name}`}
          onClick={() => onRemove(id)}
        />
      </Group>
      <Progress
        value={state === "failed" ? 100 : share * 100}
        color={state === "failed" ? "red" : state === "sent" ? "green" : undefined}
        size="sm"
        aria-label={`Upload of ${file.name}`}
      />
      {error !== undefined && (
        <Text size="xs" c="red" mt={4}>
          {error}{" "}
          <Anchor component="button" type="button" size="xs" onClick={() => onRetry(id)}>
            Try again
          </Anchor>
        </Text>
      )}
    </div>
  );
}
