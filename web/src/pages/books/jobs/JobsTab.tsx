/** Everything that was done with a book, newest first. */
import { Paper, Table, Text } from "@mantine/core";
import { IconHistory } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import type { BookDetail, BookJob } from "../../../../../src/contract/books.ts";
import { bookJobs } from "../../../api/books.ts";
import { Ago } from "../../../parts/Ago.tsx";
import { TextLink } from "../../../parts/ButtonLink.tsx";
import { EmptyState } from "../../../parts/EmptyState.tsx";
import { ErrorNotice } from "../../../parts/ErrorNotice.tsx";
import { formatDuration } from "../../../parts/format.ts";
import { LoadingRows } from "../../../parts/LoadingRows.tsx";
import { StateBadge } from "../../../parts/StateBadge.tsx";
import { describeProgress } from "../describe-progress.ts";
import { nameJob } from "../name-job.ts";

export function JobsTab({ book }: { book: BookDetail }) {
  const { data, error, refetch } = useQuery(bookJobs(book.id));
  if (error && !data) return <ErrorNotice error={error} onRetry={() => void refetch()} />;
  return (
    <Paper withBorder>
      {!data && <LoadingRows />}
      {data?.jobs.length === 0 && (
        <EmptyState icon={<IconHistory size={40} />} title="Nothing has been done yet">
          Reading scans, generating guidelines and finalizing them are jobs. Each is listed here with what came of it.
        </EmptyState>
      )}
      {data && data.jobs.length > 0 && (
        <Table highlightOnHover verticalSpacing="xs" aria-label="Jobs of this book">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Job</Table.Th>
              <Table.Th w={130}>State</Table.Th>
              <Table.Th visibleFrom="sm">Result</Table.Th>
              <Table.Th visibleFrom="sm">Started</Table.Th>
              <Table.Th visibleFrom="md">Took</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {data.jobs.map((job) => (
              <JobRow key={job.job_id} job={job} />
            ))}
          </Table.Tbody>
        </Table>
      )}
    </Paper>
  );
}

function JobRow({ job }: { job: BookJob }) {
  const { completed_at: ended, started_at: started } = job;
  return (
    <Table.Tr>
      <Table.Td>
        <TextLink to="/jobs/$jobId" params={{ jobId: job.job_id }} size="sm" display="block" w="fit-content">
          {nameJob(job.job_type)}
        </TextLink>
        <Text size="sm" c="dimmed" hiddenFrom="sm">
          {describeProgress(job)} · <Ago at={started} />
        </Text>
      </Table.Td>
      <Table.Td>
        <StateBadge state={job.status} />
      </Table.Td>
      <Table.Td visibleFrom="sm">
        <Text size="sm">{describeProgress(job)}</Text>
        {job.error_message !== null && (
          <Text size="sm" c="var(--mantine-color-error)">
            {job.error_message}
          </Text>
        )}
      </Table.Td>
      <Table.Td visibleFrom="sm">
        <Ago at={started} c="dimmed" />
      </Table.Td>
      <Table.Td visibleFrom="md">
        {ended !== null && formatDuration(new Date(ended).getTime() - new Date(started).getTime())}
      </Table.Td>
    </Table.Tr>
  );
}
