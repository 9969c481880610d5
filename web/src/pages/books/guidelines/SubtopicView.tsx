/** A subtopic: what it is about, its guideline, where it comes from, and what an editor does with it. */
import { Group, Stack, Text } from "@mantine/core";
import { IconArrowBackUp, IconCircleCheck, IconPencil } from "@tabler/icons-react";
import type { BookDetail, Subtopic } from "../../../../../src/contract/books.ts";
import { bookKeys, judgeSubtopic } from "../../../api/books.ts";
import { TextLink } from "../../../parts/ButtonLink.tsx";
import { useAction } from "../../../parts/use-action.ts";
import { WriteButton } from "../../../parts/WriteButton.tsx";
import { HeldNote } from "../HeldNote.tsx";
import { GuidelineText } from "./GuidelineText.tsx";
import { SubtopicForm } from "./SubtopicForm.tsx";

export interface SubtopicViewProps {
  book: BookDetail;
  subtopic: Subtopic;
  /** Why nothing can be changed at the moment. */
  held: string | null;
  isEditing: boolean;
  onEdit(isEditing: boolean): void;
}

export function SubtopicView({ book, subtopic, held, isEditing, onEdit }: SubtopicViewProps) {
  const judging = useAction({
    run: (verdict: "approve" | "reject") => judgeSubtopic(book.id, subtopic.id, verdict),
    outdates: [bookKeys.guidelines(book.id)],
  });
  if (isEditing) return <SubtopicForm book={book} subtopic={subtopic} held={held} onClose={() => onEdit(false)} />;
  return (
    <Stack gap="sm">
      <Text>{subtopic.summary}</Text>
      <Provenance book={book} subtopic={subtopic} />
      <GuidelineText bookId={book.id} text={withoutTitle(subtopic)} />
      <Group gap="xs">
        <WriteButton
          size="xs"
          leftSection={<IconCircleCheck size={14} aria-hidden />}
          disabled={held !== null || subtopic.status === "approved"}
          loading={judging.isPending && judging.variables === "approve"}
          onClick={() => judging.mutate("approve")}
        >
          Approve
        </WriteButton>
        <WriteButton
          size="xs"
          variant="default"
          leftSection={<IconArrowBackUp size={14} aria-hidden />}
          disabled={held !== null || subtopic.status === "needs_review"}
          loading={judging.isPending && judging.variables === "reject"}
          onClick={() => judging.mutate("reject")}
        >
          Needs review
        </WriteButton>
        <WriteButton
          size="xs"
          variant="default"
          leftSection={<IconPencil size={14} aria-hidden />}
          onClick={() => onEdit(true)}
        >
          Edit
        </WriteButton>
        <HeldNote held={held} />
      </Group>
    </Stack>
  );
}

const provenances: Record<Subtopic["provenance"], string> = {
  model: "written by the language model",
  rules: "from the book's own words",
};

function Provenance({ book, subtopic }: Pick<SubtopicViewProps, "book" | "subtopic">) {
  return (
    <Text size="sm" c="dimmed">
      {subtopic.pages.length === 1 ? "Page " : "Pages "}
      {subtopic.pages.map((page, place) => (
        <span key={page}>
          {place > 0 && ", "}
          <TextLink to="/books/$bookId" params={{ bookId: book.id }} search={{ page }} inherit underline="always">
            {page}
          </TextLink>
        </span>
      ))}
      {` · version ${subtopic.version} · ${provenances[subtopic.provenance]} · confidence ${Math.round(subtopic.confidence * 100)} %`}
    </Text>
  );
}

/** The guideline begins with the title, which stands above it already. */
function withoutTitle({ guidelines, subtopic_title }: Subtopic): string {
  const [first = "", ...rest] = guidelines.split("\n");
  return first.replace(/^#+\s*/, "").trim() === subtopic_title.trim() ? rest.join("\n").trim() : guidelines;
}
