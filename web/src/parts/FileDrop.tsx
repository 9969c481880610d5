/** A place to drop files on or choose them from, by mouse, touch or keyboard. */
import { Group, Text } from "@mantine/core";
import { Dropzone, type FileRejection } from "@mantine/dropzone";
import { notifications } from "@mantine/notifications";
import { IconUpload } from "@tabler/icons-react";
import { readOnlyReason, useMayWrite } from "../access/AccessProvider.tsx";

export interface FileDropProps {
  /** Like "Drop PDFs here, or press Enter to choose". */
  title: string;
  hint?: string;
  /** Media types; left out, the server judges. */
  accept?: string[];
  multiple?: boolean;
  busy?: boolean;
  disabled?: boolean;
  onFiles(files: File[]): void;
}

export function FileDrop({ title, hint, accept, multiple = true, busy, disabled, onFiles }: FileDropProps) {
  const mayWrite = useMayWrite();
  return (
    <Dropzone
      onDrop={onFiles}
      onReject={sayRefused}
      accept={accept}
      multiple={multiple}
      loading={busy}
      disabled={disabled || !mayWrite}
      role="button"
      // A hidden input: inside a button nothing else may be gone to.
      inputProps={{ style: { display: "none" } }}
    >
      <Group justify="center" gap="md" mih={88} style={{ pointerEvents: "none" }} wrap="nowrap">
        <IconUpload size={28} aria-hidden style={{ flexShrink: 0 }} />
        <div>
          <Text fw={500}>{title}</Text>
          {(hint || !mayWrite) && (
            <Text size="sm" c="dimmed">
              {mayWrite ? hint : readOnlyReason}
            </Text>
          )}
        </div>
      </Group>
    </Dropzone>
  );
}

function sayRefused(refused: FileRejection[]): void {
  const names = refused.map(({ file }) => file.name).join(", ");
  notifications.show({ title: "Not taken", message: `Another kind of file is needed: ${names}`, color: "red" });
}
