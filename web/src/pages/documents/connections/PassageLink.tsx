/** Leads to one end of a connection in its document's text. A connection does not tell offsets: they are looked up when it is followed. */
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { MouseEvent } from "react";
import type { Connection } from "../../../../../src/contract/documents.ts";
import { documentMarkdown } from "../../../api/documents.ts";
import { TextLink } from "../../../parts/ButtonLink.tsx";
import { findPassage } from "./find-passage.ts";

export function PassageLink({ end }: { end: Connection["source"] }) {
  const { documentId, page, index, documentTitle } = end;
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const place = { tab: "text", page: page ?? undefined };

  const follow = async (event: MouseEvent) => {
    if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    // Without the text the page alone has to do; the page says itself what is wrong.
    const text = await queryClient.ensureQueryData(documentMarkdown(documentId)).catch(() => undefined);
    const range = text && findPassage(text, end);
    await navigate({ to: "/documents/$documentId", params: { documentId }, search: { ...place, ...range } });
  };
  return (
    <TextLink
      to="/documents/$documentId"
      params={{ documentId }}
      search={place}
      size="sm"
      onClick={(event) => void follow(event)}
      aria-label={`Show in the text: passage ${index + 1} of ${documentTitle}`}
    >
      Show in the text
    </TextLink>
  );
}
