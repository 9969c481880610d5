/** What can be done to a document of the list: try again, stop, delete. */
import { Group, Tooltip } from "@mantine/core";
import { IconPlayerStop, IconRefresh, IconTrash } from "@tabler/icons-react";
import type { DocumentSummary } from "../../../../../src/contract/documents.ts";
import { cancelDocument, deleteDocument, documentKeys, retryDocument } from "../../../api/documents.ts";
import { ConfirmButton } from "../../../parts/ConfirmButton.tsx";
import { useAction } from "../../../parts/use-action.ts";
import { WriteIcon } from "../../../parts/WriteButton.tsx";

export function DocumentActions({ document: { id, title, filename, status } }: { document: DocumentSummary }) {
  const name = title ?? filename;
  const outdates = [documentKeys.list, documentKeys.one(id)];
  const retry = useAction({ run: () => retryDocument(id), outdates });
  const cancel = useAction({ run: () => cancelDocument(id), outdates });
  const remove = useAction({
    run: () => deleteDocument(id),
    done: `${name} was deleted.`,
    outdates: [documentKeys.list],
  });
  return (
    <Group gap={4} wrap="nowrap" justify="flex-end">
      {(status === "Failed" || status === "Cancelled") && (
        <Tooltip label="Try again">
          <WriteIcon
            size="lg"
            aria-label={`Try ${name} again`}
            loading={retry.isPending}
            onClick={() => retry.mutate()}
          >
            <IconRefresh size={18} aria-hidden />
          </WriteIcon>
        </Tooltip>
      )}
      {status === "Processing" && (
        <Tooltip label="Stop">
          <WriteIcon
            size="lg"
            color="gray"
            aria-label={`Stop processing ${name}`}
            loading={cancel.isPending}
            onClick={() => cancel.mutate()}
          >
            <IconPlayerStop size={18} aria-hidden />
          </WriteIcon>
        </Tooltip>
      )}
      <ConfirmButton
        variant="subtle"
        color="gray"
        px={8}
        h={34}
        loading={remove.isPending}
        question={`Delete ${name} with everything that was made of it? This cannot be undone.`}
        confirm="Delete"
        onConfirm={() => remove.mutate()}
        aria-label={`Delete ${name}`}
      >
        <IconTrash size={18} aria-hidden />
      </ConfirmButton>
    </Group>
  );
}
