/** One document: how its reading goes, and what was made of it. */
import { Paper, Skeleton, Tabs, VisuallyHidden } from "@mantine/core";
import { IconFileOff } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import type { DocumentDetail } from "../../../../src/contract/documents.ts";
import { oneDocument } from "../../api/documents.ts";
import { fetchPage } from "../../fetch-page.ts";
import { ButtonLink } from "../../parts/ButtonLink.tsx";
import { EmptyState } from "../../parts/EmptyState.tsx";
import { ErrorNotice } from "../../parts/ErrorNotice.tsx";
import { formatCount } from "../../parts/format.ts";
import { LoadingRows } from "../../parts/LoadingRows.tsx";
import { ConnectionsTab } from "./connections/ConnectionsTab.tsx";
import classes from "./DocumentPage.module.css";
import { DocumentHeader } from "./detail/DocumentHeader.tsx";
import { type DocumentTab, documentTabs, tabLabels, tabOf } from "./detail/document-tabs.ts";
import { FailureCard } from "./detail/FailureCard.tsx";
import { NotReadYet } from "./detail/NotReadYet.tsx";
import { ProcessingCard } from "./detail/ProcessingCard.tsx";
import { useDocumentStream } from "./detail/use-document-stream.ts";
import { ExtractedTab } from "./extracted/ExtractedTab.tsx";
import { JobsTab } from "./history/JobsTab.tsx";
import { PassagesTab } from "./passages/PassagesTab.tsx";

/** What renders markdown is large, and needed here alone. */
const TextTab = lazy(() =>
  fetchPage(import("./text/TextTab.tsx")).then(({ TextTab: component }) => ({ default: component })),
);

const route = getRouteApi("/shell/documents/$documentId");

export function DocumentPage() {
  const { documentId } = route.useParams();
  const { data, error, refetch } = useQuery(oneDocument(documentId));
  useDocumentStream(documentId, data);
  // An address that is no id is refused before it is looked for.
  if (error?.status === 404 || error?.status === 400) return <NoSuchDocument />;
  if (data) return <ShownDocument key={documentId} document={data} />;
  if (error)
    return <ErrorNotice title="The document could not be shown" error={error} onRetry={() => void refetch()} />;
  return <LoadingDocument />;
}

function ShownDocument({ document }: { document: DocumentDetail }) {
  const { status, generation, chunkCount, fieldCount, tableCount, connectionCount } = document;
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const tab = tabOf(search.tab);
  const counts: Partial<Record<DocumentTab, number>> = {
    passages: chunkCount,
    extracted: fieldCount + tableCount,
    connections: connectionCount,
  };
  const show = (next: string | null) =>
    void navigate({ search: { tab: tabOf(next ?? undefined), page: search.page }, resetScroll: false });
  return (
    <>
      <DocumentHeader document={document} />
      {status === "Processing" && <ProcessingCard document={document} />}
      {(status === "Failed" || status === "Cancelled") && <FailureCard document={document} />}
      <Tabs value={tab} onChange={show} keepMounted={false}>
        <Tabs.List className={classes.tabs} aria-label="What was made of this document">
          {documentTabs.map((value) => (
            <Tabs.Tab key={value} value={value}>
              {tabLabels[value]}
              {counts[value] ? <span className={classes.count}> {formatCount(counts[value])}</span> : null}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Paper withBorder className={classes.panel}>
          <Tabs.Panel value={tab}>
            <VisuallyHidden>
              <h2>{tabLabels[tab]}</h2>
            </VisuallyHidden>
            {tab === "jobs" || generation > 0 ? (
              <TabContent tab={tab} document={document} />
            ) : (
              <NotReadYet document={document} />
            )}
          </Tabs.Panel>
        </Paper>
      </Tabs>
    </>
  );
}

function TabContent({ tab, document }: { tab: DocumentTab; document: DocumentDetail }) {
  switch (tab) {
    case "text":
      return (
        <Suspense fallback={<LoadingRows rows={12} />}>
          <TextTab document={document} />
        </Suspense>
      );
    case "passages":
      return <PassagesTab document={document} />;
    case "extracted":
      return <ExtractedTab document={document} />;
    case "connections":
      return <ConnectionsTab document={document} />;
    case "jobs":
      return <JobsTab documentId={document.id} />;
  }
}

function NoSuchDocument() {
  return (
    <EmptyState
      icon={<IconFileOff size={40} />}
      title="There is no such document"
      isPage
      action={<ButtonLink to="/documents">Show all documents</ButtonLink>}
    >
      It may have been deleted.
    </EmptyState>
  );
}

function LoadingDocument() {
  return (
    <div role="status" aria-label="Loading the document">
      <Skeleton height={16} width={90} mb="xs" />
      <Skeleton height={32} width="50%" mb="xs" />
      <Skeleton height={16} width="35%" mb="md" />
      <Skeleton height={420} />
    </div>
  );
}
