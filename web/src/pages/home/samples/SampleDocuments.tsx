/** The sample documents, each with its state. */
import { useQueries } from "@tanstack/react-query";
import { documentKeys, retryDocument } from "../../../api/documents.ts";
import { ButtonLink, TextLink } from "../../../parts/ButtonLink.tsx";
import { ProgressLine } from "../../../parts/ProgressLine.tsx";
import { StateBadge } from "../../../parts/StateBadge.tsx";
import { useAction } from "../../../parts/use-action.ts";
import { WriteButton } from "../../../parts/WriteButton.tsx";
import classes from "./SampleCard.module.css";
import { SampleCard } from "./SampleCard.tsx";
import { sampleDocument } from "./sample-queries.ts";

/** Words that stand in the sample of a scanned letter and, in others, in the report. */
const sampleSearch = "brown water";

export function SampleDocuments({ ids }: { ids: readonly string[] }) {
  const asked = useQueries({ queries: ids.map(sampleDocument) });
  const documents = asked.flatMap(({ data }) => data ?? []);
  const failed = documents.filter(({ status }) => status === "Failed");
  const ready = documents.filter(({ status }) => status === "Ready");
  const retry = useAction({
    run: () => Promise.all(failed.map(({ id }) => retryDocument(id))),
    outdates: [documentKeys.all],
  });
  // Some may have been deleted since.
  const isKnown = documents.length > 0 && asked.every(({ data, error }) => data ?? error?.status === 404);
  return (
    <SampleCard
      what="document"
      title="Documents"
      description="An invoice, a report, an e-book, minutes and a scanned letter become text, tables and fields you can search."
      error={asked.find(({ error }) => error)?.error ?? null}
      onRetry={() => asked.forEach(({ refetch }) => void refetch())}
      action={
        failed.length > 0 ? (
          <WriteButton variant="default" loading={retry.isPending} onClick={() => retry.mutate()}>
            Try again
          </WriteButton>
        ) : (
          ready.length === documents.length &&
          isKnown && (
            <ButtonLink to="/search" search={{ q: sampleSearch }} variant="light">
              Search for “{sampleSearch}”
            </ButtonLink>
          )
        )
      }
    >
      {isKnown ? (
        <>
          <ul className={classes.rows}>
            {documents.map(({ id, title, filename, status, stage }) => (
              <li key={id} className={classes.row}>
                <TextLink to="/documents/$documentId" params={{ documentId: id }} size="sm" truncate>
                  {title ?? filename}
                </TextLink>
                {status === "Processing" && stage === "pending" ? (
                  <StateBadge state="pending" label="waiting" />
                ) : (
                  <StateBadge state={status} />
                )}
              </li>
            ))}
          </ul>
          <ProgressLine
            label="Sample documents"
            done={ready.length}
            failed={failed.length}
            total={documents.length}
            message={failed[0]?.errorMessage ?? "documents read"}
          />
        </>
      ) : undefined}
    </SampleCard>
  );
}
