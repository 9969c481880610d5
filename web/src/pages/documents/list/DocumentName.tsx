/** A document's name as a link to it, with what kind of file it is. */
import { Text } from "@mantine/core";
import type { DocumentSummary } from "../../../../../src/contract/documents.ts";
import { TextLink } from "../../../parts/ButtonLink.tsx";
import { formatBytes } from "../../../parts/format.ts";
import { formatLabel } from "../formats.ts";

export function DocumentName({ document: { id, title, filename, format, size } }: { document: DocumentSummary }) {
  const facts = [formatLabel(format), size !== null && formatBytes(size), title !== null && filename];
  return (
    <>
      <TextLink to="/documents/$documentId" params={{ documentId: id }} size="sm" fw={500} truncate display="block">
        {title ?? filename}
      </TextLink>
      <Text size="xs" c="dimmed" truncate mt={4}>
        {facts.filter(Boolean).join(" · ")}
      </Text>
    </>
  );
}
