/** The sample heat sheets, read for one swimmer. */
import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { JobState } from "../../../../../src/contract/states.ts";
import { batchKeys, retryBatch } from "../../../api/batches.ts";
import { ButtonLink } from "../../../parts/ButtonLink.tsx";
import { ProgressLine } from "../../../parts/ProgressLine.tsx";
import { StateBadge } from "../../../parts/StateBadge.tsx";
import { useAction } from "../../../parts/use-action.ts";
import { WriteButton } from "../../../parts/WriteButton.tsx";
import classes from "./SampleCard.module.css";
import { SampleCard } from "./SampleCard.tsx";
import { sampleBatch } from "./sample-queries.ts";

/** Where the state's own word is a programmer's. */
const labels: Partial<Record<JobState, string>> = { completed: "done", pending: "waiting" };

export function SampleSheets({ id }: { id: string }) {
  const { data, error, refetch } = useQuery(sampleBatch(id));
  const retry = useAction({ run: () => retryBatch(id), outdates: [batchKeys.list, sampleBatch(id).queryKey] });
  const { batch, jobs } = data ?? {};
  const hasEnded = batch?.status === "failed" || batch?.status === "partial";
  const hasFailed = hasEnded && batch.failedJobs > batch.withoutSwimmer;
  return (
    <SampleCard
      what="batch"
      title={batch ? `Heat sheets for ${batch.swimmerName}` : "Heat sheets"}
      description="The programmes of a swim meet are searched for one swimmer: every event, heat, lane and when it starts."
      error={error}
      onRetry={() => void refetch()}
      action={
        <>
          {hasFailed && (
            <WriteButton variant="default" loading={retry.isPending} onClick={() => retry.mutate()}>
              Try again
            </WriteButton>
          )}
          {batch && batch.completedJobs > 0 && (
            <ButtonLink to="/batches/$batchId" params={{ batchId: id }} variant="light">
              Look at the schedule
            </ButtonLink>
          )}
        </>
      }
    >
      {batch && jobs && (
        <>
          <ul className={classes.rows}>
            {jobs.map(({ id: jobId, filename, sourceUrl, status }) => (
              <li key={jobId} className={classes.row}>
                <Text size="sm" truncate>
                  {filename ?? sourceUrl}
                </Text>
                <StateBadge state={status} label={labels[status]} />
              </li>
            ))}
          </ul>
          <ProgressLine
            label="Sample heat sheets"
            done={batch.completedJobs + batch.withoutSwimmer}
            failed={batch.failedJobs - batch.withoutSwimmer}
            total={batch.totalJobs}
            message={jobs.find(({ error: reason }) => reason)?.error ?? "sheets read"}
          />
        </>
      )}
    </SampleCard>
  );
}
