/**
 * What somebody is typing. A session that ends takes the page away without a question, and after signing in again the same
 * person finds the text where it was; it is kept in this tab's memory only.
 */
import { useQueryClient } from "@tanstack/react-query";
import { type Dispatch, type SetStateAction, useEffect, useRef, useState } from "react";
import { session } from "../api/access.ts";
import { useAccess } from "./AccessProvider.tsx";

/** Like useState; the name tells drafts apart. */
export function useDraft<Draft>(name: string, begin: () => Draft): [Draft, Dispatch<SetStateAction<Draft>>] {
  const { drafts } = useAccess();
  const queryClient = useQueryClient();
  const [draft, setDraft] = useState(() => (drafts.has(name) ? (drafts.get(name) as Draft) : begin()));
  const latest = useRef(draft);
  useEffect(() => {
    latest.current = draft;
  });
  useEffect(() => {
    drafts.delete(name);
    return () => {
      if (queryClient.getQueryData(session.queryKey)?.user === null) drafts.set(name, latest.current);
    };
  }, [drafts, name, queryClient]);
  return [draft, setDraft];
}
