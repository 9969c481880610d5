/** A part of the page: a heading, what can be done, and what there is to see. */
import { Group, Paper, Title } from "@mantine/core";
import { type ReactNode, useId } from "react";

export interface SettingsSectionProps {
  title: string;
  action?: ReactNode;
  children: ReactNode;
}

export function SettingsSection({ title, action, children }: SettingsSectionProps) {
  const heading = useId();
  return (
    <Paper withBorder p="md" component="section" aria-labelledby={heading}>
      <Group justify="space-between" mb="sm" mih={30} gap="xs">
        <Title order={2} size="h5" id={heading}>
          {title}
        </Title>
        {action}
      </Group>
      {children}
    </Paper>
  );
}
