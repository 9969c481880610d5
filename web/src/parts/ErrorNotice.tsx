/** What went wrong and the button that tries again. */
import { Alert, Button, Group, Text } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";

export function ErrorNotice({ title, error, onRetry }: { title?: string; error: Error; onRetry?: () => void }) {
  return (
    <Alert color="red" icon={<IconAlertTriangle aria-hidden />} title={title ?? "That did not work"} role="alert">
      <Group justify="space-between" align="flex-end">
        <Text size="sm">{error.message}</Text>
        {onRetry && (
          <Button size="xs" variant="default" onClick={onRetry}>
            Try again
          </Button>
        )}
      </Group>
    </Alert>
  );
}
