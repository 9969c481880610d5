/** The passages a document was cut into; each leads to where it stands in the text. */
import { Badge, Button, Center, Group, Text } from "@mantine/core";
import { IconCheck, IconCut } from "@tabler/icons-react";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { DocumentChunkList, DocumentDetail } from "../../../../../src/contract/documents.ts";
import { documentChunks } from "../../../api/documents.ts";
import { EmptyState } from "../../../parts/EmptyState.tsx";
import { ErrorNotice } from "../../../parts/ErrorNotice.tsx";
import { countOf, formatCount } from "../../../parts/format.ts";
import { LoadingRows } from "../../../parts/LoadingRows.tsx";
import { toPlainText } from "../../../parts/plain-text.ts";
import { describePlace } from "./describe-place.ts";
import classes from "./PassagesTab.module.css";

type Passage = DocumentChunkList["items"][number];

export function PassagesTab({ document: { id, chunkCount } }: { document: DocumentDetail }) {
  const query = useInfiniteQuery(documentChunks(id));
  const passages = query.data?.pages.flatMap(({ items }) => items);
  if (!passages) {
    if (!query.error) return <LoadingRows rows={6} height={84} />;
    return (
      <ErrorNotice title="The passages could not be shown" error={query.error} onRetry={() => void query.refetch()} />
    );
  }
  if (passages.length === 0) {
    return (
      <EmptyState icon={<IconCut size={40} />} title="No passages">
        There is no text in this document. If its pages are pictures, have it read again with text recognition.
      </EmptyState>
    );
  }
  return (
    <>
      <ol className={classes.list}>
        {passages.map((passage) => (
          <PassageEntry key={passage.id} documentId={id} passage={passage} />
        ))}
      </ol>
      {query.hasNextPage && (
        <Center p="md">
          <Button variant="default" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            Show more ({formatCount(passages.length)} of {formatCount(chunkCount)})
          </Button>
        </Center>
      )}
    </>
  );
}

function PassageEntry({ documentId, passage }: { documentId: string; passage: Passage }) {
  const { index, content, headingPath, page, start, end, tokens, embedded } = passage;
  const place = describePlace({ ...passage, headingPath: headingPath.slice(0, -1) });
  return (
    <li>
      <Link
        to="/documents/$documentId"
        params={{ documentId }}
        search={{ tab: "text", page: page ?? undefined, start, end }}
        className={classes.entry}
      >
        <Text size="sm" fw={500} truncate>
          {headingPath.at(-1) ?? `Passage ${formatCount(index + 1)}`}
        </Text>
        <Group gap="xs" wrap="nowrap">
          <Text size="xs" c="dimmed" truncate>
            {place}
          </Text>
          <Text size="xs" c="dimmed" className={classes.facts}>
            {countOf(tokens, "token")}
          </Text>
          {embedded ? (
            <Text size="xs" c="dimmed" className={classes.facts}>
              <IconCheck size={12} aria-hidden /> vector
            </Text>
          ) : (
            <Badge color="yellow" className={classes.facts}>
              no vector yet
            </Badge>
          )}
        </Group>
        <Text size="sm" c="dimmed" lineClamp={3} mt={4} className={classes.excerpt}>
          {toPlainText(content.slice(0, 600)).trim()}
        </Text>
      </Link>
    </li>
  );
}
