/** A document that failed or was stopped: what went wrong, where, and the one button that helps. */
import { Code, FileButton, Group, Paper, SimpleGrid, Stack, Text, Title } from "@mantine/core";
import { IconAlertTriangle, IconBan, IconRefresh, IconUpload } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { DocumentDetail } from "../../../../../src/contract/documents.ts";
import { documentKeys, retryDocument } from "../../../api/documents.ts";
import { oneJob } from "../../../api/jobs.ts";
import { TextLink } from "../../../parts/ButtonLink.tsx";
import { fixOf } from "../../../parts/failure-fix.ts";
import { StageTimeline } from "../../../parts/StageTimeline.tsx";
import { useAction } from "../../../parts/use-action.ts";
import { WriteButton } from "../../../parts/WriteButton.tsx";
import { useUploads } from "../../../uploads/UploadsProvider.tsx";
import { stagesOfJob } from "./stages-of-job.ts";

export function FailureCard({ document }: { document: DocumentDetail }) {
  const { jobId, status, errorCode, errorMessage, generation } = document;
  const { data: job } = useQuery(oneJob(jobId));
  const failed = status === "Failed";
  return (
    <Paper withBorder p="md" mb="md" component="section" aria-labelledby="failure-title">
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
        <Stack gap="sm" align="flex-start">
          <Group gap="xs" wrap="nowrap" c={failed ? "var(--mantine-color-error)" : undefined}>
            {failed ? <IconAlertTriangle size={20} aria-hidden /> : <IconBan size={20} aria-hidden />}
            <Title order={2} size="h4" id="failure-title">
              {failed ? "This document could not be read" : "Reading was stopped"}
            </Title>
          </Group>
          <Text>
            {failed
              ? (errorMessage ?? "Nothing is known of why.")
              : "Nothing that was done is lost: it goes on where it stopped."}
            {generation > 0 && " What is shown below is of the last reading."}
          </Text>
          <Fix document={document} />
          <Group gap="sm">
            {errorCode !== null && <Code>{errorCode}</Code>}
            <TextLink to="/jobs/$jobId" params={{ jobId }} size="sm">
              Show the job
            </TextLink>
          </Group>
        </Stack>
        {job && <StageTimeline stages={stagesOfJob(job, document)} />}
      </SimpleGrid>
    </Paper>
  );
}

function Fix({ document: { id, status, errorCode } }: { document: DocumentDetail }) {
  const navigate = useNavigate();
  const { add } = useUploads();
  const retry = useAction({ run: () => retryDocument(id), outdates: [documentKeys.one(id), documentKeys.list] });
  if (status === "Failed" && fixOf(errorCode) === "replace") {
    const takeInstead = (files: File[]) => {
      add(files);
      void navigate({ to: "/documents" });
    };
    return (
      <FileButton onChange={takeInstead} multiple>
        {(props) => (
          <WriteButton {...props} leftSection={<IconUpload size={16} aria-hidden />}>
            Upload another file
          </WriteButton>
        )}
      </FileButton>
    );
  }
  return (
    <WriteButton
      leftSection={<IconRefresh size={16} aria-hidden />}
      loading={retry.isPending}
      onClick={() => retry.mutate()}
    >
      {status === "Failed" ? "Try again" : "Go on"}
    </WriteButton>
  );
}
