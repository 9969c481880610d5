/** All documents: bring more in, find one, see how far each is, and fix what failed. */
import { Box, Button, FileButton, Group, Paper, VisuallyHidden } from "@mantine/core";
import { IconFileOff, IconFiles, IconUpload } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { documentList } from "../../api/documents.ts";
import { ButtonLink } from "../../parts/ButtonLink.tsx";
import { EmptyState } from "../../parts/EmptyState.tsx";
import { ErrorNotice } from "../../parts/ErrorNotice.tsx";
import { FileDrop } from "../../parts/FileDrop.tsx";
import { LoadingRows } from "../../parts/LoadingRows.tsx";
import { PageHeader } from "../../parts/PageHeader.tsx";
import { WriteButton } from "../../parts/WriteButton.tsx";
import type { DocumentsSearch } from "../../router.tsx";
import { useDropTarget } from "../../shell/DropAnywhere.tsx";
import { useUploads } from "../../uploads/UploadsProvider.tsx";
import { AddFromUrl } from "./list/AddFromUrl.tsx";
import { DocumentFilters } from "./list/DocumentFilters.tsx";
import { DocumentTable } from "./list/DocumentTable.tsx";
import { ListPaging } from "./list/ListPaging.tsx";
import { isFiltered, toListQuery, toNextPage, toPreviousPage, withFilter } from "./list/list-query.ts";

const route = getRouteApi("/shell/documents");

export function DocumentsPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { add } = useUploads();
  useDropTarget("Drop files to add them as documents", add);

  const query = toListQuery(search);
  const { data, error, isPlaceholderData, refetch } = useQuery(documentList(query));
  const go = (next: (now: DocumentsSearch) => DocumentsSearch, replace = false) =>
    void navigate({ search: next, replace });
  const filter = (change: Omit<DocumentsSearch, "after">) => go((now) => withFilter(now, change), true);

  const isFirstPage = query.cursor === undefined;
  const isEmpty = data !== undefined && data.items.length === 0 && isFirstPage && !isFiltered(query);

  return (
    <>
      <PageHeader
        title="Documents"
        description="PDF, EPUB, Word, HTML, Markdown, text and images: read, made searchable, and connected."
        actions={
          <Group gap="xs">
            <AddFromUrl />
            <FileButton onChange={add} multiple>
              {(props) => (
                <WriteButton {...props} leftSection={<IconUpload size={16} aria-hidden />}>
                  Upload files
                </WriteButton>
              )}
            </FileButton>
          </Group>
        }
      />
      <VisuallyHidden>
        <h2>All documents</h2>
      </VisuallyHidden>
      {isEmpty ? (
        <NoDocuments onFiles={add} />
      ) : (
        <>
          <DocumentFilters query={query} onChange={filter} />
          {error?.code === "INVALID_CURSOR" ? (
            <Paper withBorder>
              <NoSuchPage onFirst={() => go((now) => ({ ...now, after: undefined }))} />
            </Paper>
          ) : error && !data ? (
            <ErrorNotice title="The documents could not be listed" error={error} onRetry={() => void refetch()} />
          ) : (
            <Paper withBorder style={{ overflow: "hidden" }}>
              {data === undefined ? (
                <LoadingRows rows={8} height={44} />
              ) : data.items.length === 0 ? (
                <NoneMatch isFirstPage={isFirstPage} onClear={() => go(() => ({}))} />
              ) : (
                <Box opacity={isPlaceholderData ? 0.6 : 1} aria-busy={isPlaceholderData}>
                  <DocumentTable documents={data.items} />
                </Box>
              )}
            </Paper>
          )}
          {data && (
            <ListPaging
              page={(search.after?.length ?? 0) + 1}
              hasNext={data.nextCursor !== null && !isPlaceholderData}
              onPrevious={() => go(toPreviousPage)}
              onNext={() => data.nextCursor !== null && go((now) => toNextPage(now, data.nextCursor as string))}
            />
          )}
        </>
      )}
    </>
  );
}

function NoDocuments({ onFiles }: { onFiles(files: File[]): void }) {
  return (
    <Paper withBorder p="md">
      <FileDrop
        title="Drop documents here, or press Enter to choose them"
        hint="PDF, EPUB, Word, HTML, Markdown, plain text, PNG, JPEG, TIFF or WebP"
        onFiles={onFiles}
      />
      <EmptyState
        icon={<IconFiles size={40} />}
        title="No documents yet"
        action={
          <ButtonLink to="/" variant="default">
            Start with samples
          </ButtonLink>
        }
      >
        Each one is read in the background: you can watch it, leave, and come back to its text, fields, tables and
        connections. The start page has samples to try it with.
      </EmptyState>
    </Paper>
  );
}

/** Where in the list one is stands in the address: a link that was cut or altered leads nowhere. */
function NoSuchPage({ onFirst }: { onFirst(): void }) {
  return (
    <EmptyState
      icon={<IconFileOff size={40} />}
      title="The list has no such page"
      action={
        <Button variant="default" onClick={onFirst}>
          Back to the first page
        </Button>
      }
    >
      The link that led here is not whole, or from another list.
    </EmptyState>
  );
}

function NoneMatch({ isFirstPage, onClear }: { isFirstPage: boolean; onClear(): void }) {
  return (
    <EmptyState
      icon={<IconFileOff size={40} />}
      title={isFirstPage ? "No document matches" : "Nothing more on this page"}
      action={
        <Button variant="default" onClick={onClear}>
          {isFirstPage ? "Show all documents" : "Back to the first page"}
        </Button>
      }
    >
      {isFirstPage
        ? "Names and titles are searched here. What stands in the documents is found by the search page."
        : "The documents that stood here have been deleted."}
    </EmptyState>
  );
}
