/** Where nothing is yet: says so, and what to do next. */
import { Stack, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";

export interface EmptyStateProps {
  icon: ReactNode;
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}

export function EmptyState({ icon, title, children, action }: EmptyStateProps) {
  return (
    <Stack align="center" gap="xs" py="xl" px="md" ta="center">
      <Text c="dimmed" aria-hidden lh={1}>
        {icon}
      </Text>
      <Title order={3} size="h4">
        {title}
      </Title>
      {children && (
        <Text c="dimmed" maw={460}>
          {children}
        </Text>
      )}
      {action}
    </Stack>
  );
}
