/** Before anything is asked: what there is to search, and how. */
import { Anchor, List, Paper, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { documentList } from "../../api/documents.ts";
import { ButtonLink, TextLink } from "../../parts/ButtonLink.tsx";
import { countOf } from "../../parts/format.ts";

const most = 100;
const examples = ["how to cancel", "total amount due", '"exactly these words"', "boats -sails"];

export function SearchIntroduction({ onAsk }: { onAsk(q: string): void }) {
  const { data } = useQuery(documentList({ status: "Ready", limit: most }));
  const count = data?.items.length;
  if (count === 0) {
    return (
      <Paper withBorder p="lg">
        <Title order={2} size="h4" mb="xs">
          There is nothing to search yet
        </Title>
        <Text c="dimmed" mb="md">
          Documents can be searched as soon as they have been read.
        </Text>
        <ButtonLink to="/documents">Add documents</ButtonLink>
      </Paper>
    );
  }
  return (
    <Paper withBorder p="lg">
      <Title order={2} size="h4" mb="xs">
        What can be searched for
      </Title>
      <List spacing={6} mb="md">
        <List.Item>Words, in any form: “compile” finds “compiled” and “compilation”.</List.Item>
        <List.Item>Words in quotes stand next to each other; a word after a minus must not be there.</List.Item>
        <List.Item>A question or a sentence finds passages that mean the same in other words.</List.Item>
      </List>
      <Text c="dimmed" mb="xs">
        For example{" "}
        {examples.map((example, index) => (
          <span key={example}>
            {index > 0 && ", "}
            <Anchor component="button" type="button" inherit underline="always" onClick={() => onAsk(example)}>
              {example}
            </Anchor>
          </span>
        ))}
      </Text>
      <Text size="sm" c="dimmed" mih={22}>
        {count !== undefined && (
          <>
            <TextLink to="/documents" inherit underline="always">
              {data?.nextCursor === null ? countOf(count, "document") : `More than ${countOf(most, "document")}`}
            </TextLink>{" "}
            can be searched.
          </>
        )}
      </Text>
    </Paper>
  );
}
