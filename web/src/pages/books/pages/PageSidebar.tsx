/** Every page of a book with how far it is; those that failed can be read again from here. */
import { Flex, NativeSelect, Paper } from "@mantine/core";
import { memo, useEffect, useRef, useState } from "react";
import type { BookPage } from "../../../../../src/contract/books.ts";
import { PageRow } from "./PageRow.tsx";
import styles from "./PageSidebar.module.css";
import { stateOf } from "./page-state.tsx";

const filters = {
  all: () => true,
  review: (page: BookPage) => stateOf(page) === "read",
  failed: (page: BookPage) => stateOf(page) === "failed",
};
type Filter = keyof typeof filters;

export interface PageSidebarProps {
  bookId: string;
  pages: readonly BookPage[];
  current: number;
  /** A job is at work: nothing can be read again. */
  held: boolean;
  onSelect(page: number): void;
}

export const PageSidebar = memo(({ bookId, pages, current, held, onSelect }: PageSidebarProps) => {
  const [filter, setFilter] = useState<Filter>("all");
  const list = useRef<HTMLUListElement>(null);
  const shown = pages.filter((page) => filters[filter](page) || page.page_num === current);
  const count = (of: Filter) => pages.filter(filters[of]).length;

  // biome-ignore lint/correctness/useExhaustiveDependencies: the row of the current page is brought into sight when it is another.
  useEffect(() => {
    const row = list.current?.querySelector<HTMLElement>("[data-current]");
    const box = list.current;
    if (!row || !box) return;
    // Not scrollIntoView: that would move the page as well.
    const top = row.offsetTop - box.offsetTop;
    if (top < box.scrollTop || top + row.offsetHeight > box.scrollTop + box.clientHeight) {
      box.scrollTop = top - box.clientHeight / 3;
    }
  }, [current]);

  return (
    <Paper withBorder h="100%" style={{ overflow: "hidden" }}>
      <Flex direction="column" h="100%">
        <NativeSelect
          size="xs"
          m="xs"
          aria-label="Which pages"
          value={filter}
          onChange={({ currentTarget }) => setFilter(currentTarget.value as Filter)}
          data={[
            { value: "all", label: `All pages (${pages.length})` },
            { value: "review", label: `To review (${count("review")})` },
            { value: "failed", label: `Failed (${count("failed")})` },
          ]}
        />
        <nav aria-label="Pages" style={{ display: "contents" }}>
          <ul ref={list} className={styles.list}>
            {shown.map((page) => (
              <PageRow
                key={page.page_num}
                bookId={bookId}
                page={page}
                isCurrent={page.page_num === current}
                held={held}
                onSelect={onSelect}
              />
            ))}
          </ul>
        </nav>
      </Flex>
    </Paper>
  );
});
