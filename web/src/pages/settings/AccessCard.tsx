/** Who can reach this server. */
import { Badge, Stack, Text } from "@mantine/core";
import { IconLock } from "@tabler/icons-react";
import { SettingsSection } from "./SettingsSection.tsx";

export function AccessCard() {
  return (
    <SettingsSection
      title="Access"
      action={
        <Badge color="gray" leftSection={<IconLock size={13} aria-hidden />}>
          this machine only
        </Badge>
      }
    >
      <Stack gap="xs">
        <Text size="sm">
          This server listens on loopback addresses only: whoever is on this machine can use it, nobody else can reach
          it.
        </Text>
        <Text size="sm" c="dimmed">
          This version takes no API keys, so there are none to manage.
        </Text>
      </Stack>
    </SettingsSection>
  );
}
