/** What went wrong: every attempt that failed, newest first, and the items that did. */
import { Badge, Code, Group, Paper, Stack, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import type { JobDetail } from "../../../../../src/contract/jobs.ts";
import { Ago } from "../../../parts/Ago.tsx";
import { formatCount, formatName } from "../../../parts/format.ts";

export function JobErrors({ job: { errorLog, items } }: { job: JobDetail }) {
  if (errorLog.length === 0 && items.errors.length === 0) return null;
  return (
    <Paper withBorder p="md">
      <Stack gap="md">
        {errorLog.length > 0 && (
          <ErrorList title="Failed attempts">
            {errorLog
              .toSorted((one, other) => other.attempt - one.attempt || (other.createdAt > one.createdAt ? 1 : -1))
              .map(({ attempt, code, message, retryable, stage, workerId, createdAt }) => (
                <ErrorEntry key={`${attempt} ${createdAt}`} code={code} message={message} retryable={retryable}>
                  <Text span fw={500} inherit>
                    Attempt {attempt}
                  </Text>
                  {stage !== null && ` in ${formatName(stage)}`}
                  {workerId !== null && ` on worker ${workerId.slice(-8)}`}
                  {" · "}
                  <Ago at={createdAt} />
                </ErrorEntry>
              ))}
          </ErrorList>
        )}
        {items.errors.length > 0 && (
          <ErrorList
            title={
              items.failed > items.errors.length
                ? `Failed items (the first ${items.errors.length} of ${formatCount(items.failed)})`
                : "Failed items"
            }
          >
            {items.errors.map(({ stage, key, code, error, error_type }) => (
              <ErrorEntry key={`${stage} ${key}`} code={code} message={error} retryable={error_type === "retryable"}>
                <Text span fw={500} inherit>
                  {key}
                </Text>
                {` in ${formatName(stage)}`}
              </ErrorEntry>
            ))}
          </ErrorList>
        )}
      </Stack>
    </Paper>
  );
}

function ErrorList({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Stack gap="sm" component="section">
      <Title order={2} size="h4">
        {title}
      </Title>
      {children}
    </Stack>
  );
}

interface ErrorEntryProps {
  code: string;
  message: string;
  retryable: boolean;
  children: ReactNode;
}

function ErrorEntry({ code, message, retryable, children }: ErrorEntryProps) {
  return (
    <div>
      <Group gap="xs">
        <Text size="sm">{children}</Text>
        <Code>{code}</Code>
        <Badge color="gray" size="sm">
          {retryable ? "temporary" : "final"}
        </Badge>
      </Group>
      <Text size="sm" c="var(--mantine-color-error)">
        {message}
      </Text>
    </div>
  );
}
