/** The guidelines of a book: have them made, read and correct them, finalize them. */
import { Paper, Stack } from "@mantine/core";
import { IconListTree } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import type { BookDetail } from "../../../../../src/contract/books.ts";
import { bookGuidelines } from "../../../api/books.ts";
import { ButtonLink } from "../../../parts/ButtonLink.tsx";
import { EmptyState } from "../../../parts/EmptyState.tsx";
import { ErrorNotice } from "../../../parts/ErrorNotice.tsx";
import { LoadingRows } from "../../../parts/LoadingRows.tsx";
import { FinalizePanel } from "./FinalizePanel.tsx";
import { GenerationPanel } from "./GenerationPanel.tsx";
import { TopicList } from "./TopicList.tsx";

export function GuidelinesTab({ book }: { book: BookDetail }) {
  const { data: guidelines, error, refetch } = useQuery(bookGuidelines(book.id));
  if (book.pages.length === 0) {
    return (
      <Paper withBorder>
        <EmptyState
          icon={<IconListTree size={40} />}
          title="No pages yet"
          action={
            <ButtonLink to="/books/$bookId" params={{ bookId: book.id }}>
              Add pages
            </ButtonLink>
          }
        >
          Guidelines are made of the pages' texts. Upload the scans first.
        </EmptyState>
      </Paper>
    );
  }
  return (
    <Stack gap="md">
      <GenerationPanel book={book} />
      {error && !guidelines && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {!guidelines && !error && (
        <Paper withBorder>
          <LoadingRows />
        </Paper>
      )}
      {guidelines && guidelines.total_subtopics > 0 && (
        <>
          <FinalizePanel book={book} subtopics={guidelines.total_subtopics} />
          <TopicList book={book} guidelines={guidelines} />
        </>
      )}
    </Stack>
  );
}
