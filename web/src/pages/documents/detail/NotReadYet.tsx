/** In place of results that are not there yet. */
import { IconFileTime } from "@tabler/icons-react";
import type { DocumentDetail } from "../../../../../src/contract/documents.ts";
import { EmptyState } from "../../../parts/EmptyState.tsx";

export function NotReadYet({ document: { status } }: { document: DocumentDetail }) {
  return (
    <EmptyState
      icon={<IconFileTime size={40} />}
      title={status === "Processing" ? "Here once it has been read" : "Nothing was read"}
    >
      {status === "Processing" ? "It appears by itself." : "What went wrong, and what helps, stands above."}
    </EmptyState>
  );
}
