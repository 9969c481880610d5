/** Says beside buttons that do nothing at the moment why that is. */
import { Text } from "@mantine/core";

export function HeldNote({ held }: { held: string | null }) {
  if (held === null) return null;
  return (
    <Text size="sm" c="dimmed">
      {held}
    </Text>
  );
}
