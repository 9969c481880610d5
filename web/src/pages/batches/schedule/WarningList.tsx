/** What to look at before relying on a schedule. Names that may have been meant can be tried at once. */
import { Alert, Group, List, Text } from "@mantine/core";
import { IconInfoCircle } from "@tabler/icons-react";
import type { ReactNode } from "react";
import type { Warning } from "./group-warnings.ts";
import styles from "./Schedule.module.css";

export interface WarningListProps {
  warnings: readonly Warning[];
  /** A button that tries a name that may have been meant. */
  offer?: (name: string) => ReactNode;
}

export function WarningList({ warnings, offer }: WarningListProps) {
  if (warnings.length === 0) return null;
  // A similar name or a namesake may mean that a swim is missing, or somebody else's.
  const isAboutNames = warnings.some(({ names, text }) => names.length > 0 || text.startsWith("Several swimmers"));
  return (
    <Alert
      color={isAboutNames ? "yellow" : "gray"}
      variant="light"
      className={styles.warnings}
      icon={<IconInfoCircle aria-hidden />}
      title={isAboutNames ? "Please check the name" : "Good to know"}
    >
      <List size="sm" listStyleType="none" spacing="xs">
        {warnings.map(({ text, files, names }) => (
          <List.Item key={text}>
            {text}
            {files.length > 0 && (
              <Text size="xs" c="dimmed" span>
                {" "}
                ({files.join(", ")})
              </Text>
            )}
            {offer && names.length > 0 && (
              <Group gap="xs" mt={6} className="no-print">
                {names.map(offer)}
              </Group>
            )}
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}
