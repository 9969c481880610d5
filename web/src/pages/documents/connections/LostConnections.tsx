/** Connections that people had judged and whose passages are gone since the document was read again. */
import { Alert, List, Text } from "@mantine/core";
import { IconInfoCircle } from "@tabler/icons-react";
import type { CarriedConnections } from "../../../../../src/contract/documents.ts";
import { TextLink } from "../../../parts/ButtonLink.tsx";
import { countOf } from "../../../parts/format.ts";
import { toPlainText } from "../../../parts/plain-text.ts";

export function LostConnections({ lost }: { lost: CarriedConnections["lost"] }) {
  return (
    <Alert
      m="md"
      color="yellow"
      icon={<IconInfoCircle aria-hidden />}
      title={`${countOf(lost.length, "connection")} you had judged could not be kept`}
    >
      <Text size="sm" mb="xs">
        Their passages are not in the document any more since it was read again.
      </Text>
      <List size="sm">
        {lost.map(({ sourceText, targetText, targetDocumentId }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a report that does not change.
          <List.Item key={index}>
            “{excerpt(sourceText)}” and{" "}
            <TextLink to="/documents/$documentId" params={{ documentId: targetDocumentId }} inherit>
              “{excerpt(targetText)}”
            </TextLink>
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}

function excerpt(text: string): string {
  const plain = toPlainText(text).replaceAll("\n", " ").trim();
  return plain.length > 90 ? `${plain.slice(0, 90)}…` : plain;
}
