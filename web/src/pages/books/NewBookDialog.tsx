/** Begins a book, and goes to it. */
import { Button, Group, Modal, SimpleGrid, Stack, TextInput } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { type SubmitEvent, useState } from "react";
import type { NewBook } from "../../../../src/contract/books.ts";
import { bookKeys, createBook } from "../../api/books.ts";
import { useAction } from "../../parts/use-action.ts";

const blank = { title: "", author: "", grade: "", subject: "", board: "" };

export function NewBookDialog({ opened, onClose }: { opened: boolean; onClose(): void }) {
  const navigate = useNavigate();
  const [book, setBook] = useState(blank);
  const [missing, setMissing] = useState(false);
  const creation = useAction({
    run: (given: NewBook) => createBook(given),
    outdates: [bookKeys.list],
    onDone: ({ id }) => {
      setBook(blank);
      onClose();
      void navigate({ to: "/books/$bookId", params: { bookId: id } });
    },
  });
  const field = (name: keyof typeof blank) => ({
    value: book[name],
    maxLength: 200,
    onChange: ({ currentTarget: { value } }: { currentTarget: HTMLInputElement }) =>
      setBook({ ...book, [name]: value }),
  });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const given = Object.fromEntries(Object.entries(book).filter(([, value]) => value.trim() !== ""));
    setMissing(given.title === undefined);
    if (given.title !== undefined) creation.mutate({ ...given, title: given.title });
  };
  return (
    <Modal opened={opened} onClose={onClose} title="New book" size="md" closeButtonProps={{ "aria-label": "Close" }}>
      <form onSubmit={submit} noValidate>
        <Stack gap="sm">
          <TextInput
            label="Title"
            withAsterisk
            required
            data-autofocus
            error={missing && book.title.trim() === "" && "A book needs a title."}
            {...field("title")}
          />
          <TextInput label="Author" {...field("author")} />
          <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="sm">
            <TextInput label="Grade" placeholder="5" {...field("grade")} />
            <TextInput label="Subject" placeholder="Science" {...field("subject")} />
            <TextInput label="Board" placeholder="CBSE" {...field("board")} />
          </SimpleGrid>
          <Group justify="flex-end" gap="xs" mt="xs">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={creation.isPending}>
              Create the book
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
