/** `/batches`: the schedules that were made, newest first, those under way with a bar that moves. */
import { Button, Group, Paper } from "@mantine/core";
import { IconPlus, IconSwimming } from "@tabler/icons-react";
import { useInfiniteQuery } from "@tanstack/react-query";
import { batchList } from "../../api/batches.ts";
import { ButtonLink } from "../../parts/ButtonLink.tsx";
import { EmptyState } from "../../parts/EmptyState.tsx";
import { ErrorNotice } from "../../parts/ErrorNotice.tsx";
import { LoadingRows } from "../../parts/LoadingRows.tsx";
import { PageHeader } from "../../parts/PageHeader.tsx";
import { BatchTable } from "./BatchTable.tsx";

export function BatchesPage() {
  return (
    <>
      <PageHeader
        title="Heat sheets"
        description="One swimmer, many heat sheets, one schedule."
        actions={
          <ButtonLink to="/batches/new" leftSection={<IconPlus size={16} aria-hidden />}>
            New schedule
          </ButtonLink>
        }
      />
      <Batches />
    </>
  );
}

function Batches() {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(batchList);
  if (error && !data) {
    return <ErrorNotice title="The schedules could not be loaded" error={error} onRetry={() => void refetch()} />;
  }
  if (!data) {
    return (
      <Paper withBorder>
        <LoadingRows />
      </Paper>
    );
  }
  const batches = data.pages.flatMap(({ items }) => items);
  if (batches.length === 0) {
    return (
      <Paper withBorder>
        <EmptyState
          icon={<IconSwimming size={40} />}
          title="When does my swimmer swim?"
          action={<ButtonLink to="/batches/new">Make the first schedule</ButtonLink>}
        >
          Give a swimmer's name and the heat sheets of a meet, as files or as addresses. You get one schedule with all
          events, heats, lanes and start times, to print or to put into your calendar.
        </EmptyState>
      </Paper>
    );
  }
  return (
    <>
      <BatchTable batches={batches} />
      {hasNextPage && (
        <Group justify="center" mt="md">
          <Button variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            Show older ones
          </Button>
        </Group>
      )}
    </>
  );
}
