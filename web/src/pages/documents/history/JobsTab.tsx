/** Every job that worked on a document, newest first. */
import { Code, Group, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ProcessingJob } from "../../../../../src/contract/documents.ts";
import { documentJobs } from "../../../api/documents.ts";
import { Ago } from "../../../parts/Ago.tsx";
import { TextLink } from "../../../parts/ButtonLink.tsx";
import { ErrorNotice } from "../../../parts/ErrorNotice.tsx";
import { formatDuration } from "../../../parts/format.ts";
import { LoadingRows } from "../../../parts/LoadingRows.tsx";
import { StateBadge } from "../../../parts/StateBadge.tsx";
import classes from "./JobsTab.module.css";

const kindLabels: Record<string, string> = {
  document: "Read the document",
  detect_connections: "Find connections",
  reembed_document: "Make vectors of the new model",
};

export function JobsTab({ documentId }: { documentId: string }) {
  const { data, error, refetch } = useQuery(documentJobs(documentId));
  if (!data) {
    if (!error) return <LoadingRows rows={3} height={44} />;
    return <ErrorNotice title="The jobs could not be listed" error={error} onRetry={() => void refetch()} />;
  }
  if (data.items.length === 0) {
    return (
      <Text size="sm" c="dimmed" p="md">
        Its jobs are no longer kept.
      </Text>
    );
  }
  return (
    <ol className={classes.list}>
      {data.items.map((job) => (
        <JobEntry key={job.id} job={job} />
      ))}
    </ol>
  );
}

function JobEntry({ job }: { job: ProcessingJob }) {
  const { id, kind, status, created_at, started_at, completed_at, attempts, max_attempts } = job;
  const tookMs =
    started_at !== null && completed_at !== null ? Date.parse(completed_at) - Date.parse(started_at) : undefined;
  return (
    <li>
      <Group justify="space-between" gap="xs">
        <Group gap="sm">
          <TextLink to="/jobs/$jobId" params={{ jobId: id }} size="sm" fw={500}>
            {kindLabels[kind] ?? kind}
          </TextLink>
          <StateBadge state={status} />
        </Group>
        <Text size="sm" c="dimmed" className="numbers">
          <Ago at={created_at} />
          {tookMs !== undefined && ` · took ${formatDuration(tookMs)}`}
          {attempts > 1 && ` · attempt ${attempts} of ${max_attempts}`}
        </Text>
      </Group>
      {job.error_message !== null && (
        <Text size="sm" mt={4}>
          {job.error_message} {job.error_code !== null && <Code>{job.error_code}</Code>}
        </Text>
      )}
    </li>
  );
}
