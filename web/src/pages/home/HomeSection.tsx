/** A part of the first page: a heading, where to find more, and its lines, or why there are none yet. */
import { Box, Group, Paper, Title } from "@mantine/core";
import { type ReactNode, useId } from "react";
import { useActivity } from "../../live/ActivityProvider.tsx";
import { ErrorNotice } from "../../parts/ErrorNotice.tsx";
import { LoadingRows } from "../../parts/LoadingRows.tsx";
import type { Answers } from "./home-queries.ts";

export interface HomeSectionProps {
  title: string;
  answers: Answers;
  /** Said where there are no lines. */
  empty: ReactNode;
  isEmpty: boolean;
  /** Beside the heading. */
  more?: ReactNode;
  children: ReactNode;
}

export function HomeSection({ title, answers, empty, isEmpty, more, children }: HomeSectionProps) {
  const heading = useId();
  // While the connection is lost the shell says so, and everything is asked for again when it is back.
  const { connection } = useActivity();
  const error = connection === "open" ? answers.error : null;
  return (
    <Paper withBorder component="section" aria-labelledby={heading}>
      <Group justify="space-between" px="md" py="sm" mih={52} wrap="nowrap">
        <Title order={2} size="h5" id={heading}>
          {title}
        </Title>
        {more}
      </Group>
      {error ? (
        <Box px="md" pb="md">
          <ErrorNotice title="This could not be fetched" error={error} onRetry={answers.retry} />
        </Box>
      ) : answers.isLoading ? (
        <LoadingRows rows={3} height={40} />
      ) : isEmpty ? (
        empty
      ) : (
        children
      )}
    </Paper>
  );
}
