/** The pages of a book where there is no room for a sidebar. */
import { NativeSelect } from "@mantine/core";
import type { BookPage } from "../../../../../src/contract/books.ts";
import { stateOf, stateWords } from "./page-state.tsx";

export interface PageSelectProps {
  pages: readonly BookPage[];
  current: number;
  onSelect(page: number): void;
}

export function PageSelect({ pages, current, onSelect }: PageSelectProps) {
  return (
    <NativeSelect
      aria-label="Page"
      value={String(current)}
      onChange={({ currentTarget }) => onSelect(Number(currentTarget.value))}
      data={pages.map((page) => ({
        value: String(page.page_num),
        label: `Page ${page.page_num}: ${stateWords[stateOf(page)]}`,
      }))}
    />
  );
}
