/** The pages of a book: bring scans in, see them read, correct their texts and approve them. */
import { Box, Stack } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { getRouteApi } from "@tanstack/react-router";
import { useCallback } from "react";
import type { BookDetail } from "../../../../../src/contract/books.ts";
import { useDropTarget } from "../../../shell/DropAnywhere.tsx";
import { whyHeld } from "../active-job.ts";
import { useBookJob } from "../use-book-job.ts";
import { AddPages } from "./AddPages.tsx";
import { OcrPanel } from "./OcrPanel.tsx";
import { PageBar } from "./PageBar.tsx";
import { PageSelect } from "./PageSelect.tsx";
import { PageSidebar } from "./PageSidebar.tsx";
import styles from "./PagesTab.module.css";
import { PageView } from "./PageView.tsx";
import { useAddPages } from "./use-add-pages.ts";

const route = getRouteApi("/shell/books/$bookId");

export function PagesTab({ book }: { book: BookDetail }) {
  const { id, pages } = book;
  const { page: asked = 1 } = route.useSearch();
  const navigate = route.useNavigate();
  const select = useCallback(
    (page: number) => void navigate({ search: (before) => ({ ...before, page }), resetScroll: false }),
    [navigate],
  );
  const ocr = useBookJob(book, "ocr_batch");
  const [adding, panel] = useDisclosure(false);
  const addPages = useAddPages(id, (page) => {
    ocr.startPolling();
    panel.close();
    select(page);
  });
  useDropTarget("Drop scans to add them to this book", (files) => {
    addPages.choose(files);
    panel.open();
  });
  const current = pages.find(({ page_num }) => page_num === asked) ?? pages.at(-1);
  const held = whyHeld(book);

  return (
    <Stack gap="md">
      <OcrPanel book={book} ocr={ocr} />
      {(adding || pages.length === 0) && (
        <AddPages state={addPages} held={held} onClose={pages.length > 0 ? panel.close : undefined} />
      )}
      {current && (
        <>
          <PageBar
            book={book}
            page={current}
            held={held !== null}
            onSelect={select}
            onAdd={adding ? undefined : panel.open}
          />
          <div className={styles.desk}>
            <Box visibleFrom="md" className={styles.sidebar}>
              <PageSidebar
                bookId={id}
                pages={pages}
                current={current.page_num}
                held={held !== null}
                onSelect={select}
              />
            </Box>
            <Box hiddenFrom="md">
              <PageSelect pages={pages} current={current.page_num} onSelect={select} />
            </Box>
            <PageView key={current.page_num} book={book} page={current} held={held} onSelect={select} />
          </div>
        </>
      )}
    </Stack>
  );
}
