/** One upload: its name in one line however long it is, how far it is, and what can be done about it. */
import { Anchor, Box, CloseButton, Group, Progress, Text } from "@mantine/core";
import type { ApiError } from "../api/request.ts";
import { TextLink } from "../parts/ButtonLink.tsx";
import type { Upload } from "./upload-store.ts";

interface UploadLineProps {
  upload: Upload;
  onRetry(id: string): void;
  onRemove(id: string): void;
}

export function UploadLine({ upload, onRetry, onRemove }: UploadLineProps) {
  const { id, file, state, share, documentId, error } = upload;
  const isEnded = state === "sent" || state === "failed";
  return (
    <Box component="li">
      <Group justify="space-between" wrap="nowrap" gap="xs">
        {documentId === undefined ? (
          <Text size="sm" truncate miw={0} title={file.name}>
            {file.name}
          </Text>
        ) : (
          <TextLink to="/documents/$documentId" params={{ documentId }} size="sm" truncate miw={0} title={file.name}>
            {file.name}
          </TextLink>
        )}
        <CloseButton
          size="sm"
          flex="none"
          aria-label={isEnded ? `Take ${file.name} off the list` : `Stop uploading ${file.name}`}
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
        <Text size="xs" c="var(--mantine-color-error)" mt={4} style={{ overflowWrap: "anywhere" }}>
          {error.message}{" "}
          {mayPass(error) && (
            <Anchor component="button" type="button" size="xs" onClick={() => onRetry(id)}>
              Try again
            </Anchor>
          )}
        </Text>
      )}
    </Box>
  );
}

/**
 * A file that was refused for what it is will be refused again; no answer, a limit and a server's own trouble pass, and
 * somebody who was signed out can sign in.
 */
function mayPass({ status }: ApiError): boolean {
  return status === 0 || status === 401 || status === 429 || status >= 500;
}
