/** The head of a page: where one is, what it is, what one can do. Names the browser's tab too. */
import { Box, Group, Text, Title } from "@mantine/core";
import { IconChevronLeft } from "@tabler/icons-react";
import type { LinkProps } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { TextLink } from "./ButtonLink.tsx";

export interface PageHeaderProps {
  title: string;
  /** Beside the title: a state. */
  badge?: ReactNode;
  description?: ReactNode;
  actions?: ReactNode;
  back?: { to: LinkProps["to"]; label: string };
}

export function PageHeader({ title, badge, description, actions, back }: PageHeaderProps) {
  return (
    <Box component="header" mb="md">
      <title>{`${title} · Docmill`}</title>
      {back && (
        <TextLink to={back.to} size="sm" className="no-print">
          <Group gap={2} component="span" display="inline-flex">
            <IconChevronLeft size={16} aria-hidden />
            {back.label}
          </Group>
        </TextLink>
      )}
      <Group justify="space-between" align="flex-start" gap="sm">
        <Box style={{ flex: "1 1 260px", minWidth: 0 }}>
          <Group gap="sm" align="center">
            <Title order={1} size="h2" lineClamp={3} title={title} style={{ overflowWrap: "anywhere" }}>
              {title}
            </Title>
            {badge}
          </Group>
          {description && (
            <Text c="dimmed" size="sm" mt={4} component="div">
              {description}
            </Text>
          )}
        </Box>
        {actions && (
          <Group gap="xs" className="no-print">
            {actions}
          </Group>
        )}
      </Group>
    </Box>
  );
}
