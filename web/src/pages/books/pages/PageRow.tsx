/** A page in the sidebar. Drawn again only if it has changed: there may be 500, and one changes every second. */
import { VisuallyHidden } from "@mantine/core";
import { IconRefresh } from "@tabler/icons-react";
import { type MouseEvent, memo } from "react";
import type { BookPage } from "../../../../../src/contract/books.ts";
import { WriteIcon } from "../../../parts/WriteButton.tsx";
import styles from "./PageSidebar.module.css";
import { stateIcons, stateOf, stateWords } from "./page-state.tsx";
import { useRetryPage } from "./use-retry-page.ts";

interface PageRowProps {
  bookId: string;
  page: BookPage;
  isCurrent: boolean;
  held: boolean;
  onSelect(page: number): void;
}

export const PageRow = memo(({ bookId, page, isCurrent, held, onSelect }: PageRowProps) => {
  const state = stateOf(page);
  // A router's link would look at every navigation, 500 times.
  const open = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    onSelect(page.page_num);
  };
  return (
    <li className={styles.row} data-current={isCurrent || undefined}>
      <a
        className={styles.link}
        href={`/books/${bookId}?page=${page.page_num}`}
        onClick={open}
        aria-current={isCurrent ? "page" : undefined}
        title={page.ocr_error ?? stateWords[state]}
      >
        <span className={styles.icon}>{stateIcons[state]}</span>
        <span className="numbers">Page {page.page_num}</span>
        <VisuallyHidden>, {stateWords[state]}</VisuallyHidden>
        <span className={styles.filename} aria-hidden>
          {page.filename}
        </span>
      </a>
      {state === "failed" && <RetryButton bookId={bookId} page={page} held={held} />}
    </li>
  );
});

function RetryButton({ bookId, page, held }: Pick<PageRowProps, "bookId" | "page" | "held">) {
  const retry = useRetryPage(bookId);
  return (
    <WriteIcon
      size="md"
      mr={4}
      aria-label={`Read page ${page.page_num} again`}
      title="Read again"
      disabled={held}
      loading={retry.isPending}
      onClick={() => retry.mutate(page.page_num)}
    >
      <IconRefresh size={16} aria-hidden />
    </WriteIcon>
  );
}
