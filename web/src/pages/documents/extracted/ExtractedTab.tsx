/** Fields and tables beside the page they stand on, each with its box; rows and boxes light each other up. */
import { Button, Center, Text, Title } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { IconForms } from "@tabler/icons-react";
import { useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useRef, useState } from "react";
import type { DocumentDetail } from "../../../../../src/contract/documents.ts";
import { documentFields, documentTables } from "../../../api/documents.ts";
import { EmptyState } from "../../../parts/EmptyState.tsx";
import { ErrorNotice } from "../../../parts/ErrorNotice.tsx";
import { formatCount } from "../../../parts/format.ts";
import { LoadingRows } from "../../../parts/LoadingRows.tsx";
import { PageImage } from "../page-image/PageImage.tsx";
import { PageTurner } from "../text/PageTurner.tsx";
import { BoxMarks } from "./BoxMarks.tsx";
import classes from "./ExtractedTab.module.css";
import { ExtractedTable } from "./ExtractedTable.tsx";
import { FieldTable } from "./FieldTable.tsx";
import { fieldKey, tableKey } from "./found-things.ts";

const route = getRouteApi("/shell/documents/$documentId");

export function ExtractedTab({ document: { id, pageCount, fieldCount, tableCount } }: { document: DocumentDetail }) {
  const fieldQuery = useInfiniteQuery(documentFields(id));
  const tableQuery = useInfiniteQuery(documentTables(id));
  const fields = fieldQuery.data?.pages.flatMap(({ items }) => items);
  const tables = tableQuery.data?.pages.flatMap(({ items }) => items);
  const { page: asked } = route.useSearch();
  const navigate = route.useNavigate();
  const picture = useRef<HTMLDivElement>(null);
  const narrow = useMediaQuery("(max-width: 62em)", false, { getInitialValueInEffect: false });
  /** The field or table that is pointed at. */
  const [pointed, setPointed] = useState<string | null>(null);

  const error = fieldQuery.error ?? tableQuery.error;
  if (!fields || !tables) {
    if (!error) return <LoadingRows rows={8} />;
    const retry = () => void Promise.all([fieldQuery.refetch(), tableQuery.refetch()]);
    return <ErrorNotice title="Fields and tables could not be shown" error={error} onRetry={retry} />;
  }
  if (fields.length === 0 && tables.length === 0) {
    return (
      <EmptyState icon={<IconForms size={40} />} title="No fields or tables">
        Labels with values, like “Invoice number: 4711”, and tables are found in PDFs and pictures of pages.
      </EmptyState>
    );
  }

  const isPaged = pageCount !== null && pageCount > 0;
  const page = Math.min(asked ?? fields[0]?.page ?? tables[0]?.page ?? 1, pageCount ?? 1);
  const turnTo = (next: number) =>
    void navigate({ search: (now) => ({ ...now, page: next }), replace: true, resetScroll: false });
  const show = (key: string, on: number) => {
    setPointed(key);
    if (isPaged && on !== page) turnTo(on);
    // Where the page does not stand beside what was found, it is far above.
    if (narrow) picture.current?.scrollIntoView({ block: "start" });
  };

  return (
    <div className={isPaged ? classes.columns : undefined}>
      <div className={classes.found}>
        {fields.length > 0 && (
          <section aria-labelledby="fields-title">
            <Title order={3} size="h5" id="fields-title" p="md" pb="xs">
              Fields{" "}
              <Text span c="dimmed" size="sm">
                {formatCount(fieldCount)}
              </Text>
            </Title>
            <FieldTable
              fields={fields}
              page={isPaged ? page : null}
              pointed={pointed}
              onPoint={setPointed}
              onShow={show}
            />
            <More query={fieldQuery} label="Show more fields" />
          </section>
        )}
        {tables.length > 0 && (
          <section aria-labelledby="tables-title">
            <Title order={3} size="h5" id="tables-title" p="md" pb="xs">
              Tables{" "}
              <Text span c="dimmed" size="sm">
                {formatCount(tableCount)}
              </Text>
            </Title>
            {tables.map((table, index) => (
              <ExtractedTable
                key={tableKey(index)}
                table={table}
                number={index + 1}
                pointed={pointed === tableKey(index)}
                onShow={isPaged ? () => show(tableKey(index), table.page) : undefined}
              />
            ))}
            <More query={tableQuery} label="Show more tables" />
          </section>
        )}
      </div>
      {isPaged && (
        <div className={classes.picture} ref={picture}>
          {pageCount > 1 && (
            <div className={classes.turner}>
              <PageTurner page={page} pageCount={pageCount} onTurn={turnTo} />
            </div>
          )}
          <PageImage
            documentId={id}
            page={page}
            pageCount={pageCount}
            marks={(words) => (
              <BoxMarks
                size={words}
                things={[
                  ...fields.map(({ box, page: on, key, value }, index) => ({
                    key: fieldKey(index),
                    kind: "field" as const,
                    label: `${key}: ${value}`,
                    box,
                    page: on,
                  })),
                  ...tables.map(({ box, page: on, caption }, index) => ({
                    key: tableKey(index),
                    kind: "table" as const,
                    label: caption ?? `Table ${index + 1}`,
                    box,
                    page: on,
                  })),
                ].filter(({ page: on }) => on === page)}
                pointed={pointed}
                onPoint={setPointed}
              />
            )}
          />
        </div>
      )}
    </div>
  );
}

interface MoreProps {
  query: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage(): Promise<unknown> };
  label: string;
}

function More({ query, label }: MoreProps) {
  if (!query.hasNextPage) return null;
  return (
    <Center p="sm">
      <Button variant="default" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
        {label}
      </Button>
    </Center>
  );
}
