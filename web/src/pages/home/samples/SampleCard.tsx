/** One of the three samples: what is being shown, how far it is, and where to look. */
import { Box, Group, Paper, Stack, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import type { ApiError } from "../../../api/request.ts";
import { ErrorNotice } from "../../../parts/ErrorNotice.tsx";
import { LoadingRows } from "../../../parts/LoadingRows.tsx";
import { WorkIcon } from "../WorkIcon.tsx";

export interface SampleCardProps {
  what: "document" | "batch" | "book";
  title: string;
  description: string;
  /** Undefined until it is known. */
  children: ReactNode | undefined;
  error: ApiError | null;
  onRetry(): void;
  /** Where to look at what has come of it. */
  action: ReactNode;
}

export function SampleCard({ what, title, description, children, error, onRetry, action }: SampleCardProps) {
  return (
    <Paper withBorder p="md" component="article" aria-label={title}>
      <Stack gap="sm" h="100%">
        <div>
          <Group gap="xs" wrap="nowrap">
            <WorkIcon what={what} />
            <Title order={3} size="h6">
              {title}
            </Title>
          </Group>
          <Text size="sm" c="dimmed" mt={2}>
            {description}
          </Text>
        </div>
        <Box style={{ flex: 1 }}>{children ?? <Missing error={error} onRetry={onRetry} />}</Box>
        {/* As high as its button before there is one. */}
        <Stack gap="xs" mih={36}>
          {action}
        </Stack>
      </Stack>
    </Paper>
  );
}

/** Why there is nothing to show: it is on its way, it was deleted, or it could not be fetched. */
function Missing({ error, onRetry }: Pick<SampleCardProps, "error" | "onRetry">) {
  if (error === null) return <LoadingRows rows={3} height={24} />;
  if (error.status === 404) return <Text size="sm">It was deleted.</Text>;
  return <ErrorNotice error={error} onRetry={onRetry} />;
}
