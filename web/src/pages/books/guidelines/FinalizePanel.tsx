/** Gives the guidelines their last form: names refined, duplicates merged, summaries written anew. */
import { Alert, Checkbox, Group, Paper, Stack, Text, Title } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { BookDetail, BookJob } from "../../../../../src/contract/books.ts";
import { isEnded } from "../../../../../src/contract/states.ts";
import { bookKeys, finalizeGuidelines } from "../../../api/books.ts";
import { oneJob } from "../../../api/jobs.ts";
import { countOf } from "../../../parts/format.ts";
import { useAction } from "../../../parts/use-action.ts";
import { WriteButton } from "../../../parts/WriteButton.tsx";
import { whyHeld } from "../active-job.ts";
import { describeProgress } from "../describe-progress.ts";
import { JobProgress } from "../JobProgress.tsx";
import { useBookJob } from "../use-book-job.ts";
import { JobOutcome } from "./JobOutcome.tsx";

export function FinalizePanel({ book, subtopics }: { book: BookDetail; subtopics: number }) {
  const polling = useBookJob(book, "finalization");
  const { job, startPolling } = polling;
  const [sync, setSync] = useState(false);
  const start = useAction({
    run: () => finalizeGuidelines(book.id, { auto_sync_to_db: sync }),
    outdates: [bookKeys.one(book.id)],
    onDone: startPolling,
  });
  if (job && !isEnded(job.status)) {
    return (
      <JobProgress
        job={job}
        polling={polling}
        cancelQuestion="Stop here? Finalizing can be started again at any time, and ends the same."
      />
    );
  }
  const held = whyHeld(book);
  return (
    <Paper withBorder p="md">
      <Stack gap="xs">
        <Group justify="space-between" gap="sm" align="flex-start">
          <div style={{ flex: "1 1 320px" }}>
            <Title order={2} size="h4">
              Finalize
            </Title>
            <Text size="sm" c="dimmed">
              Refines the names, merges subtopics that are the same and writes their summaries anew. What is approved
              stays as it is.
            </Text>
          </div>
          <WriteButton
            variant={job?.status === "completed" ? "default" : "filled"}
            loading={start.isPending}
            disabled={held !== null}
            onClick={() => start.mutate()}
          >
            {job?.status === "failed" || job?.status === "cancelled"
              ? "Resume"
              : `Finalize ${countOf(subtopics, "subtopic")}`}
          </WriteButton>
        </Group>
        <Checkbox
          label="Publish to the teaching application when done"
          checked={sync}
          onChange={({ currentTarget }) => setSync(currentTarget.checked)}
        />
        {job && <Outcome job={job} subtopics={subtopics} />}
      </Stack>
    </Paper>
  );
}

function Outcome({ job, subtopics }: { job: BookJob; subtopics: number }) {
  const { data } = useQuery(oneJob(job.job_id));
  if (job.status !== "completed") {
    return (
      <Alert
        color={job.status === "failed" ? "red" : "yellow"}
        icon={<IconAlertTriangle aria-hidden />}
        title={job.status === "failed" ? "Finalizing stopped" : "Finalizing was cancelled"}
        role="alert"
      >
        {job.error_message} {describeProgress(job)}.
      </Alert>
    );
  }
  const published = readSynced(data?.result);
  return (
    <JobOutcome job={job} label="Finalized">
      {countOf(job.completed_items, "subtopic")} gone through, {subtopics} in the book
      {published > 0 && `, ${published} published`}
    </JobOutcome>
  );
}

/** How many rows the teaching application was given. */
function readSynced(result: unknown): number {
  const { synced } = (result ?? {}) as { synced?: unknown };
  return typeof synced === "number" ? synced : 0;
}
