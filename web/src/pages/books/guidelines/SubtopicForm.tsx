/** Corrects a subtopic. What a person has written is not written over by anything. */
import { Button, Group, SimpleGrid, Stack, Textarea, TextInput } from "@mantine/core";
import type { SubmitEvent } from "react";
import type { BookDetail, Subtopic, SubtopicEdit } from "../../../../../src/contract/books.ts";
import { useDraft } from "../../../access/use-draft.ts";
import { bookKeys, editSubtopic } from "../../../api/books.ts";
import { ConfirmButton } from "../../../parts/ConfirmButton.tsx";
import { useAction } from "../../../parts/use-action.ts";
import { WriteButton } from "../../../parts/WriteButton.tsx";
import { HeldNote } from "../HeldNote.tsx";
import { LeaveDialog } from "../pages/LeaveDialog.tsx";

export interface SubtopicFormProps {
  book: BookDetail;
  subtopic: Subtopic;
  held: string | null;
  onClose(): void;
}

const fields = ["topic_title", "subtopic_title", "summary", "guidelines"] as const;
type Field = (typeof fields)[number];

/** The name of what is typed for it. */
export const draftOf = ({ id }: Subtopic) => `subtopic ${id}`;

export function SubtopicForm({ book, subtopic, held, onClose }: SubtopicFormProps) {
  const [edited, setEdited] = useDraft<Record<Field, string>>(draftOf(subtopic), () => {
    const { topic_title, subtopic_title, summary, guidelines } = subtopic;
    return { topic_title, subtopic_title, summary, guidelines };
  });
  const change: SubtopicEdit = Object.fromEntries(
    fields.filter((field) => edited[field] !== subtopic[field]).map((field) => [field, edited[field]]),
  );
  const isDirty = Object.keys(change).length > 0;
  const isBlank = fields.some((field) => edited[field].trim() === "");
  const saving = useAction({
    run: () => editSubtopic(book.id, subtopic.id, change),
    done: "The subtopic is saved",
    outdates: [bookKeys.guidelines(book.id)],
    onDone: onClose,
  });
  const input = (field: Field) => ({
    value: edited[field],
    error: edited[field].trim() === "" && "This cannot be empty.",
    onChange: ({ currentTarget: { value } }: { currentTarget: { value: string } }) =>
      setEdited({ ...edited, [field]: value }),
  });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    saving.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
          <TextInput label="Title" maxLength={200} {...input("subtopic_title")} />
          <TextInput label="Topic" maxLength={200} {...input("topic_title")} />
        </SimpleGrid>
        <Textarea label="Summary" description="15 to 30 words" autosize minRows={2} {...input("summary")} />
        <Textarea
          label="Guidelines"
          description="Markdown"
          autosize
          minRows={8}
          maxRows={28}
          styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)" } }}
          {...input("guidelines")}
        />
        <Group gap="xs">
          <WriteButton
            type="submit"
            size="xs"
            loading={saving.isPending}
            disabled={held !== null || isBlank || !isDirty}
          >
            Save
          </WriteButton>
          {isDirty ? (
            <ConfirmButton
              size="xs"
              question="Throw away what you have typed?"
              confirm="Throw it away"
              isForReaders
              disabled={saving.isPending}
              onConfirm={onClose}
            >
              Cancel
            </ConfirmButton>
          ) : (
            <Button size="xs" variant="default" onClick={onClose}>
              Cancel
            </Button>
          )}
          <HeldNote held={held} />
        </Group>
      </Stack>
      <LeaveDialog
        what={`“${subtopic.subtopic_title}”`}
        isDirty={isDirty}
        obstacle={held ?? (isBlank ? "It can be saved when no field is empty." : null)}
        save={() =>
          saving.mutateAsync().then(
            () => true,
            () => false,
          )
        }
        discard={onClose}
      />
    </form>
  );
}
