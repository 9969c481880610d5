/** A table in its frame, under its name. */
import { Paper, Title } from "@mantine/core";
import type { ReactNode } from "react";

export function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Paper withBorder component="section" aria-label={title}>
      <Title order={2} size="h4" px="md" pt="md" pb="xs">
        {title}
      </Title>
      {children}
    </Paper>
  );
}
