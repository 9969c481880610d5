/** A document's name, state and facts, and what can be done with it. */
import { Anchor, Button, Group, Text } from "@mantine/core";
import { IconDownload, IconPlayerStop, IconTrash } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import type { DocumentDetail } from "../../../../../src/contract/documents.ts";
import { cancelDocument, deleteDocument, documentKeys, fileUrl } from "../../../api/documents.ts";
import { ConfirmButton } from "../../../parts/ConfirmButton.tsx";
import { countOf, formatBytes, formatCount } from "../../../parts/format.ts";
import { PageHeader } from "../../../parts/PageHeader.tsx";
import { StateBadge } from "../../../parts/StateBadge.tsx";
import { useAction } from "../../../parts/use-action.ts";
import { WriteButton } from "../../../parts/WriteButton.tsx";
import { formatLabel } from "../formats.ts";
import { describeStage, isWaiting } from "../stages.ts";
import { ReprocessButton } from "./ReprocessButton.tsx";

export function DocumentHeader({ document }: { document: DocumentDetail }) {
  const { title, filename, status, stage } = document;
  return (
    <PageHeader
      title={title ?? filename}
      back={{ to: "/documents", label: "Documents" }}
      badge={
        <span aria-live="polite">
          <StateBadge
            state={status === "Processing" && isWaiting(stage) ? "pending" : status}
            label={status === "Processing" ? describeStage(stage) : undefined}
          />
        </span>
      }
      description={<Facts document={document} />}
      actions={<Actions document={document} />}
    />
  );
}

function Facts({ document }: { document: DocumentDetail }) {
  const { title, filename, author, sourceUrl } = document;
  return (
    <>
      <Text size="sm" c="dimmed">
        {factsOf(document).join(" · ")}
      </Text>
      {(title !== null || sourceUrl !== null) && (
        <Text size="sm" c="dimmed">
          {title !== null && filename}
          {author !== null && ` by ${author}`}
          {sourceUrl !== null && (
            <>
              {" from "}
              <Anchor href={sourceUrl} target="_blank" rel="noreferrer" underline="always" size="sm">
                {sourceUrl}
              </Anchor>
            </>
          )}
        </Text>
      )}
    </>
  );
}

const languages = new Intl.DisplayNames("en", { type: "language", fallback: "code" });

function factsOf(document: DocumentDetail): string[] {
  const { format, size, pageCount, wordCount, language, chunkCount } = document;
  return [
    formatLabel(format),
    size === null ? "" : formatBytes(size),
    pageCount === null ? "" : countOf(pageCount, "page"),
    wordCount === null ? "" : countOf(wordCount, "word"),
    language === null ? "" : languageName(language),
    chunkCount === 0 ? "" : describeVectors(document),
  ].filter((fact) => fact !== "");
}

function describeVectors({ chunkCount, embeddedChunks, embeddingModel }: DocumentDetail): string {
  if (embeddedChunks >= chunkCount) return `vectors of ${embeddingModel}`;
  return `${formatCount(embeddedChunks)} of ${formatCount(chunkCount)} passages have vectors of ${embeddingModel}`;
}

/** Files say all kinds of things of their language. */
function languageName(language: string): string {
  try {
    return languages.of(language) ?? language;
  } catch {
    return language;
  }
}

function Actions({ document }: { document: DocumentDetail }) {
  const { id, title, filename, status, size } = document;
  const navigate = useNavigate();
  const cancel = useAction({ run: () => cancelDocument(id), outdates: [documentKeys.one(id), documentKeys.list] });
  const remove = useAction({
    run: () => deleteDocument(id),
    done: `${title ?? filename} was deleted.`,
    outdates: [documentKeys.list],
    onDone: () => void navigate({ to: "/documents" }),
  });
  return (
    <Group gap="xs">
      {status === "Processing" && (
        <WriteButton
          variant="default"
          leftSection={<IconPlayerStop size={16} aria-hidden />}
          loading={cancel.isPending}
          onClick={() => cancel.mutate()}
        >
          Stop
        </WriteButton>
      )}
      <ReprocessButton document={document} />
      {size !== null && (
        <Button
          component="a"
          href={fileUrl(id)}
          download={filename}
          variant="default"
          leftSection={<IconDownload size={16} aria-hidden />}
        >
          Download
        </Button>
      )}
      <ConfirmButton
        question={`Delete ${title ?? filename} with everything that was made of it? This cannot be undone.`}
        confirm="Delete"
        loading={remove.isPending}
        leftSection={<IconTrash size={16} aria-hidden />}
        onConfirm={() => remove.mutate()}
      >
        Delete
      </ConfirmButton>
    </Group>
  );
}
