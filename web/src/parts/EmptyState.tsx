/** Where nothing is yet: says so, and what to do next. */
import { Stack, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";

export interface EmptyStateProps {
  icon: ReactNode;
  title: string;
  children?: ReactNode;
  action?: ReactNode;
  /** Where it is all there is of the page, its title is the page's. */
  isPage?: boolean;
}

export function EmptyState({ icon, title, children, action, isPage = false }: EmptyStateProps) {
  return (
    <Stack align="center" gap="xs" py="xl" px="md" ta="center">
      <Text c="dimmed" aria-hidden lh={1}>
        {icon}
      </Text>
      <Title order={isPage ? 1 : 3} size="h4">
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
