/** What a document has to do with others, by document; people say what they think of each connection. */
import { Button, Center, Group, Text, Title } from "@mantine/core";
import { IconAffiliate } from "@tabler/icons-react";
import { useInfiniteQuery } from "@tanstack/react-query";
import type { DocumentDetail } from "../../../../../src/contract/documents.ts";
import { documentConnections } from "../../../api/documents.ts";
import { TextLink } from "../../../parts/ButtonLink.tsx";
import { EmptyState } from "../../../parts/EmptyState.tsx";
import { ErrorNotice } from "../../../parts/ErrorNotice.tsx";
import { countOf, formatCount } from "../../../parts/format.ts";
import { LoadingRows } from "../../../parts/LoadingRows.tsx";
import { ConnectionCard } from "./ConnectionCard.tsx";
import classes from "./ConnectionsTab.module.css";
import { groupByDocument } from "./connection-words.ts";
import { LostConnections } from "./LostConnections.tsx";
import { useJudgeConnection } from "./use-judge-connection.ts";

export function ConnectionsTab({ document }: { document: DocumentDetail }) {
  const { id, connectionCount, carriedConnections } = document;
  const query = useInfiniteQuery(documentConnections(id));
  const judge = useJudgeConnection(id);
  const connections = query.data?.pages.flatMap(({ items }) => items);
  if (!connections) {
    if (!query.error) return <LoadingRows rows={4} height={140} />;
    return (
      <ErrorNotice
        title="The connections could not be shown"
        error={query.error}
        onRetry={() => void query.refetch()}
      />
    );
  }
  return (
    <>
      {carriedConnections && carriedConnections.lost.length > 0 && <LostConnections lost={carriedConnections.lost} />}
      {connections.length === 0 && (
        <EmptyState icon={<IconAffiliate size={40} />} title="No connections">
          Passages of other documents that say something like this one, or against it, appear here. They are looked for
          when a document has been read.
        </EmptyState>
      )}
      {groupByDocument(connections, id).map((group) => (
        <div key={group.documentId} className={classes.group}>
          <Group justify="space-between" mb="sm" gap="xs">
            <Title order={3} size="h5">
              <TextLink to="/documents/$documentId" params={{ documentId: group.documentId }} inherit>
                {group.title}
              </TextLink>
            </Title>
            <Text size="sm" c="dimmed">
              {countOf(group.connections.length, "connection")}
            </Text>
          </Group>
          <ul className={classes.list}>
            {group.connections.map((connection) => (
              <ConnectionCard
                key={connection.id}
                connection={connection}
                documentId={id}
                onJudge={(change) => judge.mutate({ id: connection.id, change })}
              />
            ))}
          </ul>
        </div>
      ))}
      {query.hasNextPage && (
        <Center p="md">
          <Button variant="default" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            Show more ({formatCount(connections.length)} of {formatCount(connectionCount)})
          </Button>
        </Center>
      )}
    </>
  );
}
