/** The reading of a document while it goes on: how far it is, and its stages with how long each took. */
import { Paper, SimpleGrid, Stack, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { DocumentDetail } from "../../../../../src/contract/documents.ts";
import { oneJob } from "../../../api/jobs.ts";
import { TextLink } from "../../../parts/ButtonLink.tsx";
import { ProgressLine } from "../../../parts/ProgressLine.tsx";
import { StageTimeline } from "../../../parts/StageTimeline.tsx";
import { describeStage } from "../stages.ts";
import { stagesOfJob } from "./stages-of-job.ts";

export function ProcessingCard({ document }: { document: DocumentDetail }) {
  const { jobId, stage, progress, generation } = document;
  const { data: job } = useQuery(oneJob(jobId));
  return (
    <Paper withBorder p="md" mb="md" component="section" aria-labelledby="processing-title">
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
        <Stack gap="sm">
          <Title order={2} size="h4" id="processing-title">
            {generation > 0 ? "Being read again" : "Being read"}
          </Title>
          <ProgressLine
            label="Progress of this document"
            done={progress.completedItems}
            failed={progress.failedItems}
            total={progress.totalItems}
            message={progress.message ?? describeStage(stage)}
          />
          <Text size="sm" c="dimmed" aria-live="polite">
            {job?.waiting?.explanation ??
              (generation > 0
                ? "What is shown below is of the last reading. It is swapped for the new one at once."
                : "You can leave this page: it goes on by itself.")}
          </Text>
          <TextLink to="/jobs/$jobId" params={{ jobId }} size="sm">
            Show the job
          </TextLink>
        </Stack>
        {job && <StageTimeline stages={stagesOfJob(job, document)} />}
      </SimpleGrid>
    </Paper>
  );
}
