/** All books, with what was last done with each; begins new ones. */
import { Button, Paper, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconBooks, IconPlus, IconSearch } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Book } from "../../../../src/contract/books.ts";
import { bookList } from "../../api/books.ts";
import { EmptyState } from "../../parts/EmptyState.tsx";
import { ErrorNotice } from "../../parts/ErrorNotice.tsx";
import { LoadingRows } from "../../parts/LoadingRows.tsx";
import { PageHeader } from "../../parts/PageHeader.tsx";
import { WriteButton } from "../../parts/WriteButton.tsx";
import { BookTable } from "./BookTable.tsx";
import { NewBookDialog } from "./NewBookDialog.tsx";

/** From so many books on, looking for one takes longer than typing its name. */
const manyBooks = 10;

export function BooksPage() {
  const { data, error, refetch } = useQuery(bookList);
  const [opened, dialog] = useDisclosure(false);
  const [wanted, setWanted] = useState("");
  const books = data?.books ?? [];
  const shown = books.filter((book) => matches(book, wanted));
  const begin = (
    <WriteButton leftSection={<IconPlus size={16} aria-hidden />} onClick={dialog.open}>
      New book
    </WriteButton>
  );
  return (
    <>
      <PageHeader
        title="Books"
        description="Scanned pages become text, and the text becomes teaching guidelines."
        actions={books.length > 0 && begin}
      />
      {books.length >= manyBooks && (
        <TextInput
          aria-label="Find a book"
          placeholder="Title, author, subject …"
          leftSection={<IconSearch size={16} aria-hidden />}
          value={wanted}
          onChange={({ currentTarget }) => setWanted(currentTarget.value)}
          maw={360}
          mb="md"
        />
      )}
      {error && !data ? (
        <ErrorNotice title="The books could not be read" error={error} onRetry={() => void refetch()} />
      ) : (
        <Paper withBorder>
          {!data && <LoadingRows />}
          {data && books.length === 0 && (
            <EmptyState icon={<IconBooks size={40} />} title="No books yet" action={begin}>
              Begin a book, then drop the scans of its pages. They are read in the background; you review the text and
              have guidelines made of it.
            </EmptyState>
          )}
          {books.length > 0 && shown.length === 0 && (
            <EmptyState
              icon={<IconSearch size={40} />}
              title="No such book"
              action={
                <Button variant="default" onClick={() => setWanted("")}>
                  Show all
                </Button>
              }
            >
              None of the {books.length} books has “{wanted}” in its title, author, grade, subject or board.
            </EmptyState>
          )}
          {shown.length > 0 && <BookTable books={shown} />}
        </Paper>
      )}
      <NewBookDialog opened={opened} onClose={dialog.close} />
    </>
  );
}

function matches({ title, author, grade, subject, board }: Book, wanted: string): boolean {
  const words = wanted.toLowerCase().split(/\s+/);
  const text = [title, author, grade, subject, board].join(" ").toLowerCase();
  return words.every((word) => text.includes(word));
}
