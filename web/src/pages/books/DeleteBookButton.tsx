/** Removes a book with everything that was made of it. The server refuses while a job is at work on it, and says which. */
import type { ButtonProps } from "@mantine/core";
import type { Book } from "../../../../src/contract/books.ts";
import { bookKeys, deleteBook } from "../../api/books.ts";
import { ConfirmButton } from "../../parts/ConfirmButton.tsx";
import { countOf } from "../../parts/format.ts";
import { useAction } from "../../parts/use-action.ts";

export interface DeleteBookButtonProps extends ButtonProps {
  book: Book;
  onDeleted?(): void;
}

export function DeleteBookButton({ book, onDeleted, ...button }: DeleteBookButtonProps) {
  const removal = useAction({
    run: () => deleteBook(book.id),
    done: `“${book.title}” is deleted`,
    outdates: [bookKeys.list],
    onDone: onDeleted,
  });
  return (
    <ConfirmButton
      {...button}
      loading={removal.isPending}
      question={`Delete “${book.title}” with its ${countOf(book.total_pages, "page")}, their texts and all guidelines? This cannot be undone.`}
      confirm="Delete the book"
      onConfirm={removal.mutate}
      aria-label={`Delete “${book.title}”`}
    >
      Delete
    </ConfirmButton>
  );
}
