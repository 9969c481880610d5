/** Above the desk: which page it is, the way to the pages beside it, and what can be done with all of them. */
import { Button, Group, Text } from "@mantine/core";
import { useHotkeys } from "@mantine/hooks";
import { IconChecks, IconChevronLeft, IconChevronRight, IconPlus } from "@tabler/icons-react";
import type { BookDetail, BookPage } from "../../../../../src/contract/books.ts";
import { approveAllPages, bookKeys } from "../../../api/books.ts";
import { countOf } from "../../../parts/format.ts";
import { useAction } from "../../../parts/use-action.ts";
import { WriteButton } from "../../../parts/WriteButton.tsx";
import { stateOf } from "./page-state.tsx";

export interface PageBarProps {
  book: BookDetail;
  page: BookPage;
  held: boolean;
  onSelect(page: number): void;
  /** Left out where pages are being added already. */
  onAdd?: () => void;
}

export function PageBar({ book, page, held, onSelect, onAdd }: PageBarProps) {
  const { page_num: number } = page;
  const last = book.pages.length;
  const go = (to: number) => {
    if (to >= 1 && to <= last) onSelect(to);
  };
  useHotkeys(
    [
      ["alt+PageDown", () => go(number + 1)],
      ["alt+PageUp", () => go(number - 1)],
    ],
    [],
  );
  return (
    <Group justify="space-between" gap="xs">
      <Group gap="sm">
        <Button.Group>
          <Button
            size="xs"
            variant="default"
            leftSection={<IconChevronLeft size={14} aria-hidden />}
            disabled={number === 1}
            aria-keyshortcuts="Alt+PageUp"
            title="Previous page (Alt + Page up)"
            onClick={() => go(number - 1)}
          >
            Previous
          </Button>
          <Button
            size="xs"
            variant="default"
            rightSection={<IconChevronRight size={14} aria-hidden />}
            disabled={number === last}
            aria-keyshortcuts="Alt+PageDown"
            title="Next page (Alt + Page down)"
            onClick={() => go(number + 1)}
          >
            Next
          </Button>
        </Button.Group>
        <Text fw={500} className="numbers" role="status">
          Page {number} of {last}
        </Text>
      </Group>
      <Group gap="xs">
        <ApproveAll book={book} disabled={held} />
        {onAdd && (
          <WriteButton size="xs" variant="default" leftSection={<IconPlus size={14} aria-hidden />} onClick={onAdd}>
            Add pages
          </WriteButton>
        )}
      </Group>
    </Group>
  );
}

function ApproveAll({ book, disabled }: { book: BookDetail; disabled: boolean }) {
  const ready = book.pages.filter((page) => stateOf(page) === "read").length;
  const approval = useAction({
    run: () => approveAllPages(book.id),
    done: ({ approved }) => `${countOf(approved.length, "page")} approved`,
    outdates: [bookKeys.one(book.id)],
  });
  if (ready === 0) return null;
  return (
    <WriteButton
      size="xs"
      variant="default"
      leftSection={<IconChecks size={14} aria-hidden />}
      disabled={disabled}
      loading={approval.isPending}
      onClick={() => approval.mutate()}
    >
      Approve all ({ready})
    </WriteButton>
  );
}
