/** The first page: add work, see it move, fix what failed, open what is done. */
import { SimpleGrid, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { bookList } from "../../api/books.ts";
import { PageHeader } from "../../parts/PageHeader.tsx";
import { WriteAnchor } from "../../parts/WriteButton.tsx";
import { AddWork } from "./AddWork.tsx";
import { FailedLately } from "./FailedLately.tsx";
import { FinishedLately } from "./FinishedLately.tsx";
import { documentsUnderWay, failedDocuments, readyDocuments, useNewestBatches } from "./home-queries.ts";
import { RunningNow } from "./RunningNow.tsx";
import { SamplesPanel } from "./samples/SamplesPanel.tsx";
import { useStartSamples } from "./samples/use-start-samples.ts";
import { useStartedSamples } from "./samples/use-started-samples.ts";
import { Today } from "./Today.tsx";
import { Welcome } from "./Welcome.tsx";

export function HomePage() {
  const { samples, putAway } = useStartedSamples();
  const isNew = useHasNothing() && samples === null;
  return (
    <>
      <PageHeader title={isNew ? "Welcome to Docmill" : "Home"} />
      <Stack gap="md">
        {samples && <SamplesPanel key={samples.bookId} samples={samples} onPutAway={putAway} />}
        {isNew && <Welcome />}
        <AddWork />
        {!isNew && (
          <>
            <Today />
            <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
              <RunningNow />
              <FailedLately />
            </SimpleGrid>
            <FinishedLately />
            {samples === null && <SamplesLink />}
          </>
        )}
      </Stack>
    </>
  );
}

/** Whether the server is known to hold nothing: no document, batch or book. */
function useHasNothing(): boolean {
  const documents = [useQuery(documentsUnderWay), useQuery(failedDocuments), useQuery(readyDocuments)];
  const batches = useNewestBatches();
  const books = useQuery(bookList);
  return (
    documents.every(({ data }) => data?.items.length === 0) &&
    batches.data?.length === 0 &&
    books.data?.books.length === 0
  );
}

function SamplesLink() {
  const start = useStartSamples();
  return (
    <Text size="sm" c="dimmed" ta="center">
      Showing Docmill to somebody?{" "}
      <WriteAnchor size="sm" disabled={start.isPending} onClick={() => start.mutate()}>
        Try it with samples
      </WriteAnchor>
    </Text>
  );
}
