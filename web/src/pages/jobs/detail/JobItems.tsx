/** The items a job has gone through, those that failed first, a page at a time. Asked for only when somebody looks. */
import { Button, Group, SegmentedControl, Table, Text } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import type { JobDetail, JobItemList } from "../../../../../src/contract/jobs.ts";
import { jobItems } from "../../../api/jobs.ts";
import { Ago } from "../../../parts/Ago.tsx";
import { ErrorNotice } from "../../../parts/ErrorNotice.tsx";
import { formatCount, formatName } from "../../../parts/format.ts";
import { LoadingRows } from "../../../parts/LoadingRows.tsx";

type ItemState = JobItemList["items"][number]["status"];

export function JobItems({ job: { id, items } }: { job: JobDetail }) {
  const [state, setState] = useState<ItemState>(items.failed > 0 ? "failed" : "completed");
  return (
    <>
      {items.failed > 0 && (
        <SegmentedControl
          aria-label="Which items"
          size="xs"
          mb="sm"
          value={state}
          onChange={setState}
          data={[
            { value: "failed", label: `Failed ${formatCount(items.failed)}` },
            { value: "completed", label: `Done ${formatCount(items.completed)}` },
          ]}
        />
      )}
      <ItemTable key={state} jobId={id} state={state} count={items[state]} />
    </>
  );
}

function ItemTable({ jobId, state, count }: { jobId: string; state: ItemState; count: number }) {
  const query = useInfiniteQuery(jobItems(jobId, state));
  const { data, isFetching, refetch } = query;
  const items = data?.pages.flatMap((page) => page.items);
  const pages = data?.pages.length ?? 0;
  const askedAt = useRef(count);
  useEffect(() => {
    // Whoever has gone on to further pages is left in peace.
    if (count === askedAt.current || pages !== 1 || isFetching) return;
    askedAt.current = count;
    void refetch();
  }, [count, pages, isFetching, refetch]);

  if (!items) {
    if (query.error) return <ErrorNotice error={query.error} onRetry={() => void refetch()} />;
    return <LoadingRows rows={3} />;
  }
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
      <section className="scroll-x" tabIndex={0} aria-label="Items">
        <Table verticalSpacing={4} miw={420}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Item</Table.Th>
              <Table.Th>Stage</Table.Th>
              <Table.Th>{state === "failed" ? "Error" : "Output"}</Table.Th>
              <Table.Th>Finished</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {items.map(({ stage, key, output, error, finishedAt }) => (
              <Table.Tr key={`${stage} ${key}`}>
                <Table.Td>{key}</Table.Td>
                <Table.Td>{formatName(stage)}</Table.Td>
                <Table.Td maw={320}>
                  <Text inherit truncate={error === null}>
                    {error ? `${error.code}: ${error.error}` : asLine(output)}
                  </Text>
                </Table.Td>
                <Table.Td style={{ whiteSpace: "nowrap" }}>
                  <Ago at={finishedAt} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </section>
      {query.hasNextPage && (
        <Group justify="center" mt="sm">
          <Button variant="default" size="xs" loading={isFetching} onClick={() => void query.fetchNextPage()}>
            Show more
          </Button>
        </Group>
      )}
    </>
  );
}

function asLine(output: unknown): string {
  return output === null || output === undefined ? "–" : JSON.stringify(output);
}
