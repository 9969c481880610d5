/** What a job is, belongs to and has cost, as a list of facts. */
import { Code, DataList, Paper, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import type { JobDetail } from "../../../../../src/contract/jobs.ts";
import { Ago } from "../../../parts/Ago.tsx";
import { TextLink } from "../../../parts/ButtonLink.tsx";
import { formatCount, formatName } from "../../../parts/format.ts";
import { JobTook } from "../JobTook.tsx";

export function JobFacts({ job }: { job: JobDetail }) {
  return (
    <Paper withBorder p="md">
      <Title order={2} size="h4" mb="sm">
        About it
      </Title>
      <DataList gap={6} labelWidth="104px">
        <Belonging job={job} />
        <Fact label="Kind">
          <TextLink inherit to="/jobs" search={{ kind: job.kind }}>
            {formatName(job.kind)}
          </TextLink>
        </Fact>
        <Fact label="Created">
          <Ago at={job.createdAt} />
        </Fact>
        {job.startedAt !== null && (
          <Fact label="Started">
            <Ago at={job.startedAt} />
          </Fact>
        )}
        {job.completedAt !== null && (
          <Fact label="Ended">
            <Ago at={job.completedAt} />
          </Fact>
        )}
        {job.startedAt !== null && job.status !== "pending" && (
          <Fact label={job.status === "running" ? "Running for" : "Took"}>
            <JobTook job={job} />
          </Fact>
        )}
        <Fact label="Attempts">
          {job.attempts} of {job.maxAttempts}
        </Fact>
        {job.priority !== 0 && <Fact label="Priority">{job.priority}</Fact>}
        {job.worker && (
          <Fact label="Worker">
            <TextLink inherit to="/workers">
              {job.worker.host}, process {job.worker.pid}
            </TextLink>
          </Fact>
        )}
        {job.lockKey !== null && (
          <Fact label="Lock">
            <Code>{job.lockKey}</Code>
          </Fact>
        )}
        <Fact label="Spend">
          <Spend spend={job.spend} />
        </Fact>
      </DataList>
    </Paper>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <DataList.Item>
      <DataList.ItemLabel>{label}</DataList.ItemLabel>
      <DataList.ItemValue>{children}</DataList.ItemValue>
    </DataList.Item>
  );
}

function Belonging({ job: { input, batchId, sequence, parentId } }: { job: JobDetail }) {
  const documentId = idIn(input, "documentId");
  const bookId = idIn(input, "bookId");
  return (
    <>
      {documentId !== undefined && (
        <Fact label="Document">
          <TextLink inherit to="/documents/$documentId" params={{ documentId }}>
            Open the document
          </TextLink>
        </Fact>
      )}
      {bookId !== undefined && (
        <Fact label="Book">
          <TextLink inherit to="/books/$bookId" params={{ bookId }}>
            Open the book
          </TextLink>
        </Fact>
      )}
      {batchId !== null && (
        <Fact label="Batch">
          <TextLink inherit to="/batches/$batchId" params={{ batchId }}>
            Open the batch
          </TextLink>
          {sequence !== null && ` (number ${sequence})`}
          {" · "}
          <TextLink inherit to="/jobs" search={{ batch: batchId }}>
            its jobs
          </TextLink>
        </Fact>
      )}
      {parentId !== null && (
        <Fact label="Created by">
          <TextLink inherit to="/jobs/$jobId" params={{ jobId: parentId }}>
            Job {parentId.slice(-8)}
          </TextLink>
        </Fact>
      )}
    </>
  );
}

function Spend({ spend: { paidCalls, hits, tokensIn, tokensOut, cost } }: Pick<JobDetail, "spend">) {
  if (paidCalls + hits === 0) return <Text inherit>No paid calls</Text>;
  const parts = [
    `${formatCount(paidCalls)} paid ${paidCalls === 1 ? "call" : "calls"}`,
    hits > 0 && `${formatCount(hits)} answered from before`,
    tokensIn + tokensOut > 0 && `${formatCount(tokensIn)} tokens in, ${formatCount(tokensOut)} out`,
    cost !== null && `cost ${cost.toFixed(cost < 1 ? 4 : 2)}`,
  ];
  return <Text inherit>{parts.filter((part) => part !== false).join(" · ")}</Text>;
}

/** What kinds of jobs take is their own affair; these names mean the same in all of them. */
function idIn(input: unknown, name: string): string | undefined {
  const value = typeof input === "object" && input !== null ? (input as Record<string, unknown>)[name] : undefined;
  return typeof value === "string" ? value : undefined;
}
