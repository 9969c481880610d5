/** Leads to one end of a connection in its document's text. */
import type { Connection } from "../../../../../src/contract/documents.ts";
import { TextLink } from "../../../parts/ButtonLink.tsx";

export function PassageLink({ end: passage }: { end: Connection["source"] }) {
  const { documentId, page, index, documentTitle, start, end } = passage;
  return (
    <TextLink
      to="/documents/$documentId"
      params={{ documentId }}
      search={{ tab: "text", page: page ?? undefined, start, end }}
      size="sm"
      aria-label={`Show in the text: passage ${index + 1} of ${documentTitle}`}
    >
      Show in the text
    </TextLink>
  );
}
