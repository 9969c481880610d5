/** A job's log, newest first. Asked for only when somebody looks; grows with what comes in. */
import { Button, Code, Group, Text } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { jobEvents } from "../../../api/jobs.ts";
import { Ago } from "../../../parts/Ago.tsx";
import { ErrorNotice } from "../../../parts/ErrorNotice.tsx";
import { formatName } from "../../../parts/format.ts";
import { LoadingRows } from "../../../parts/LoadingRows.tsx";
import classes from "./JobEvents.module.css";

export function JobEvents({ jobId, lastEventId }: { jobId: string; lastEventId: number }) {
  const query = useInfiniteQuery(jobEvents(jobId, lastEventId));
  const { data, isFetching, isError, fetchPreviousPage } = query;
  const events = data?.pages.flatMap(({ items }) => items.toReversed());

  // Once for each end of the log: events that are not kept any more never come, however often they are asked for.
  const askedUpTo = useRef(data === undefined ? lastEventId : (events?.[0]?.number ?? 0));
  const isLoaded = data !== undefined;
  useEffect(() => {
    if (lastEventId <= askedUpTo.current || !isLoaded || isFetching || isError) return;
    askedUpTo.current = lastEventId;
    void fetchPreviousPage();
  }, [lastEventId, isLoaded, isFetching, isError, fetchPreviousPage]);

  if (!events) {
    if (query.error) return <ErrorNotice error={query.error} onRetry={() => void query.refetch()} />;
    return <LoadingRows rows={3} />;
  }
  if (events.length === 0) {
    return <Text c="dimmed">{lastEventId === 0 ? "Nothing has happened yet." : "They are not kept any more."}</Text>;
  }
  return (
    <>
      <ol className={classes.events} aria-label="Events, newest first">
        {events.map(({ number, type, data: said, createdAt }) => (
          <li key={number} className={classes.event}>
            <Text span size="sm" c="dimmed" className="numbers">
              {number}
            </Text>
            <div>
              <Group gap="xs" justify="space-between">
                <Text size="sm" fw={500}>
                  {formatName(type)}
                </Text>
                <Text size="sm" c="dimmed">
                  <Ago at={createdAt} />
                </Text>
              </Group>
              <Code className={classes.said}>{sayShortly(said)}</Code>
            </div>
          </li>
        ))}
      </ol>
      {query.error && <ErrorNotice error={query.error} onRetry={() => void fetchPreviousPage()} />}
      {query.hasNextPage && (
        <Group justify="center" mt="sm">
          <Button
            variant="default"
            size="xs"
            loading={query.isFetchingNextPage}
            onClick={() => void query.fetchNextPage()}
          >
            Show older events
          </Button>
        </Group>
      )}
    </>
  );
}

/** "stage: count, completed: 4": without the fence, which is the engine's affair. */
function sayShortly({ lease: _lease, ...said }: Record<string, unknown>): string {
  return Object.entries(said)
    .map(([name, value]) => `${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join(", ");
}
