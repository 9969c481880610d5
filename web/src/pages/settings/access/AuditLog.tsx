/** What was done to this server, newest first. */
import { Button, Group, Text, Title } from "@mantine/core";
import { IconRefresh } from "@tabler/icons-react";
import { useInfiniteQuery } from "@tanstack/react-query";
import type { AuditEntry } from "../../../../../src/contract/access.ts";
import { auditLog } from "../../../api/access.ts";
import { Ago } from "../../../parts/Ago.tsx";
import { ErrorNotice } from "../../../parts/ErrorNotice.tsx";
import { LoadingRows } from "../../../parts/LoadingRows.tsx";
import classes from "./AuditLog.module.css";
import { describeEntry } from "./describe-entry.ts";

export function AuditLog() {
  const { data, error, refetch, isFetching, hasNextPage, isFetchingNextPage, fetchNextPage } =
    useInfiniteQuery(auditLog);
  const entries = data?.pages.flatMap(({ items }) => items);
  return (
    <>
      <Group justify="space-between" gap="xs">
        <Title order={3} size="sm">
          What was done
        </Title>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconRefresh size={14} aria-hidden />}
          loading={isFetching && !isFetchingNextPage}
          onClick={() => void refetch()}
          aria-label="Look again at what was done"
        >
          Look again
        </Button>
      </Group>
      {error && <ErrorNotice title="The log could not be fetched" error={error} onRetry={() => void refetch()} />}
      {!entries && !error && <LoadingRows rows={4} />}
      {entries?.length === 0 && (
        <Text size="sm" c="dimmed">
          Nothing that is kept here has been done yet.
        </Text>
      )}
      {entries && entries.length > 0 && (
        <ol className={classes.entries}>
          {entries.map((entry) => (
            <Entry key={entry.id} entry={entry} />
          ))}
        </ol>
      )}
      {hasNextPage && (
        <Group>
          <Button size="xs" variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            Show more
          </Button>
        </Group>
      )}
    </>
  );
}

function Entry({ entry }: { entry: AuditEntry }) {
  const { who, what, more } = describeEntry(entry);
  return (
    <li className={classes.entry}>
      <Text size="sm" c="dimmed" className="numbers">
        <Ago at={entry.at} />
      </Text>
      <div>
        <Text size="sm">
          <strong>{who}</strong> {what}
        </Text>
        <Text size="xs" c="dimmed">
          {more}
        </Text>
      </div>
    </li>
  );
}
