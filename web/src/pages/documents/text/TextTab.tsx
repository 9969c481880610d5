/** The text of a document: page by page beside the picture of each, or section by section where it has no pages. */
import { useQuery } from "@tanstack/react-query";
import type { DocumentDetail } from "../../../../../src/contract/documents.ts";
import { documentMarkdown, documentOutline } from "../../../api/documents.ts";
import { ErrorNotice } from "../../../parts/ErrorNotice.tsx";
import { LoadingRows } from "../../../parts/LoadingRows.tsx";
import { PagedText } from "./PagedText.tsx";
import { SectionedText } from "./SectionedText.tsx";

export function TextTab({ document: { id } }: { document: DocumentDetail }) {
  const text = useQuery(documentMarkdown(id));
  const outline = useQuery(documentOutline(id));
  const error = text.error ?? outline.error;
  if (text.data && outline.data) {
    const { markdown, pages } = text.data;
    const { items } = outline.data;
    return pages.length > 0 ? (
      <PagedText documentId={id} markdown={markdown} pages={pages} outline={items} />
    ) : (
      <SectionedText markdown={markdown} outline={items} />
    );
  }
  if (error) {
    const retry = () => void Promise.all([text.refetch(), outline.refetch()]);
    return <ErrorNotice title="The text could not be shown" error={error} onRetry={retry} />;
  }
  return <LoadingRows rows={12} />;
}
