/** The jobs of one filter: loading, none, failed, or the table with what has come since. */
import { Box, Button, Paper } from "@mantine/core";
import { IconArrowUp, IconListDetails } from "@tabler/icons-react";
import { type ReactNode, useCallback, useRef } from "react";
import type { JobListFilter } from "../../api/jobs.ts";
import { ButtonLink } from "../../parts/ButtonLink.tsx";
import { EmptyState } from "../../parts/EmptyState.tsx";
import { ErrorNotice } from "../../parts/ErrorNotice.tsx";
import { countOf } from "../../parts/format.ts";
import { LoadingRows } from "../../parts/LoadingRows.tsx";
import classes from "./JobList.module.css";
import { JobTable } from "./JobTable.tsx";
import { isNarrowed } from "./job-filter.ts";
import { useAtTop } from "./use-at-top.ts";
import { useJobActions } from "./use-job-actions.ts";
import { useJobList } from "./use-job-list.ts";

export function JobList({ filter, onClear }: { filter: JobListFilter; onClear(): void }) {
  const atTop = useAtTop();
  const { query, rows, note, coming, isBehind, error, catchUp } = useJobList(filter, atTop);
  const { cancel, retry } = useJobActions((job) => note([job]));
  const table = useRef<HTMLDivElement>(null);

  const { fetchNextPage, isFetching, isFetchNextPageError } = query;
  const onNearEnd = useCallback(() => {
    if (!isFetching && !isFetchNextPageError) void fetchNextPage();
  }, [fetchNextPage, isFetching, isFetchNextPageError]);

  if (query.isPending)
    return (
      <Framed>
        <LoadingRows rows={10} />
      </Framed>
    );
  if (!query.data) {
    return (
      <ErrorNotice title="The jobs could not be loaded" error={query.error} onRetry={() => void query.refetch()} />
    );
  }
  if (rows.length === 0) return <Framed>{isNarrowed(filter) ? <NoneMatch onClear={onClear} /> : <NoJobs />}</Framed>;

  return (
    <>
      {error && <ErrorNotice title="The list is not up to date" error={error} onRetry={() => void catchUp()} />}
      <div role="status" className={classes.newer}>
        {!atTop && (coming > 0 || isBehind) && (
          <Button
            size="xs"
            radius="xl"
            leftSection={<IconArrowUp size={14} aria-hidden />}
            // At the top what is new is let in, and the button goes.
            onClick={() => {
              window.scrollTo({ top: 0 });
              table.current?.focus({ preventScroll: true });
            }}
          >
            {isBehind ? "Newer jobs" : countOf(coming, "newer job")}
          </Button>
        )}
      </div>
      <Framed>
        <JobTable
          rows={rows}
          isAll={!query.hasNextPage}
          onNearEnd={onNearEnd}
          ref={table}
          onCancel={cancel.mutate}
          onRetry={retry.mutate}
        />
        <Box mih={query.hasNextPage ? 44 : undefined}>
          {isFetchNextPageError && (
            <ErrorNotice
              title="The next jobs could not be loaded"
              error={query.error}
              onRetry={() => void fetchNextPage()}
            />
          )}
        </Box>
      </Framed>
    </>
  );
}

function Framed({ children }: { children: ReactNode }) {
  return <Paper withBorder>{children}</Paper>;
}

function NoJobs() {
  return (
    <EmptyState
      icon={<IconListDetails size={40} stroke={1.4} />}
      title="No jobs yet"
      action={<ButtonLink to="/documents">Add documents</ButtonLink>}
    >
      Everything slow is done by jobs: they appear here as soon as a document, a batch of heat sheets or the pages of a
      book are handed in.
    </EmptyState>
  );
}

function NoneMatch({ onClear }: { onClear(): void }) {
  return (
    <EmptyState
      icon={<IconListDetails size={40} stroke={1.4} />}
      title="No job matches"
      action={
        <Button variant="default" onClick={onClear}>
          Show all jobs
        </Button>
      }
    >
      There are none of this kind, state, batch and age together. A job that comes to match appears by itself.
    </EmptyState>
  );
}
