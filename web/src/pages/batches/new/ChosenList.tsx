/** What will be sent, and the room that is left. */
import { Box, CloseButton, Group, Text } from "@mantine/core";
import { IconFileTypePdf, IconWorld } from "@tabler/icons-react";
import { formatBytes } from "../../../parts/format.ts";
import styles from "./ChosenList.module.css";
import type { ChosenSheet } from "./chosen-sheets.ts";

export interface ChosenListProps {
  sheets: readonly ChosenSheet[];
  most: number;
  error: string | undefined;
  /** Whether this sheet is the one that the error is about. */
  isWrong(sheet: ChosenSheet): boolean;
  disabled: boolean;
  onRemove(sheet: ChosenSheet): void;
}

export function ChosenList({ sheets, most, error, isWrong, disabled, onRemove }: ChosenListProps) {
  return (
    <Box component="section" aria-label="Heat sheets that will be read">
      <Group justify="space-between">
        <Text fw={500} size="sm">
          Will be read
        </Text>
        <Text size="sm" c={sheets.length > most ? "var(--mantine-color-error)" : "dimmed"} aria-live="polite">
          {sheets.length} of {most}
        </Text>
      </Group>
      {sheets.length === 0 && (
        <Text size="sm" c="dimmed">
          Nothing chosen yet.
        </Text>
      )}
      <ul className={styles.list}>
        {sheets.map((sheet) => (
          <li key={sheet.id} className={styles.item} data-wrong={isWrong(sheet) || undefined}>
            {"file" in sheet ? <IconFileTypePdf size={18} aria-hidden /> : <IconWorld size={18} aria-hidden />}
            <div className={styles.name}>
              <Text size="sm" truncate title={sheet.name}>
                {sheet.name}
              </Text>
              <Text size="xs" c="dimmed" truncate>
                {"file" in sheet ? formatBytes(sheet.file.size) : sheet.url}
              </Text>
            </div>
            <CloseButton aria-label={`Remove ${sheet.name}`} disabled={disabled} onClick={() => onRemove(sheet)} />
          </li>
        ))}
      </ul>
      {error !== undefined && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          {error}
        </Text>
      )}
    </Box>
  );
}
