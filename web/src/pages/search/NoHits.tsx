/** Nothing was found: what to try next. */
import { Button } from "@mantine/core";
import { IconZoomQuestion } from "@tabler/icons-react";
import type { SearchQuery } from "../../../../src/contract/documents.ts";
import { ButtonLink } from "../../parts/ButtonLink.tsx";
import { EmptyState } from "../../parts/EmptyState.tsx";

export function NoHits({ mode, onWiden }: { mode: SearchQuery["mode"]; onWiden(): void }) {
  return (
    <EmptyState
      icon={<IconZoomQuestion size={40} />}
      title="Nothing was found"
      action={
        mode === "hybrid" ? (
          <ButtonLink to="/documents" variant="default">
            Show all documents
          </ButtonLink>
        ) : (
          <Button variant="default" onClick={onWiden}>
            Search words and meaning
          </Button>
        )
      }
    >
      Try fewer or other words, or say in a sentence what you are looking for. Documents that are still being read are
      found once they are ready.
    </EmptyState>
  );
}
