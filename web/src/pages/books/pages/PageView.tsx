/** One page: its scan beside its text. */
import { Alert, Group, Text } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import type { BookDetail, BookPage } from "../../../../../src/contract/books.ts";
import { WriteButton } from "../../../parts/WriteButton.tsx";
import styles from "./PageView.module.css";
import { ScanPanel } from "./ScanPanel.tsx";
import { TextPanel } from "./TextPanel.tsx";
import { useRetryPage } from "./use-retry-page.ts";

export interface PageViewProps {
  book: BookDetail;
  page: BookPage;
  /** Why nothing can be changed at the moment. */
  held: string | null;
  onSelect(page: number): void;
}

export function PageView({ book, page, held, onSelect }: PageViewProps) {
  return (
    <section aria-label={`Page ${page.page_num}`}>
      {page.ocr_status === "failed" && <ReadFailure bookId={book.id} page={page} held={held !== null} />}
      <div className={styles.sides}>
        <ScanPanel
          book={book}
          page={page}
          held={held !== null}
          onDeleted={() => onSelect(Math.max(1, Math.min(page.page_num, book.pages.length - 1)))}
        />
        <TextPanel book={book} page={page} held={held} onSelect={onSelect} />
      </div>
    </section>
  );
}

function ReadFailure({ bookId, page, held }: { bookId: string; page: BookPage; held: boolean }) {
  const retry = useRetryPage(bookId);
  return (
    <Alert color="red" icon={<IconAlertTriangle aria-hidden />} title="This page could not be read" mb="sm">
      <Group justify="space-between" align="flex-end" gap="sm">
        <Text size="sm" flex="1 1 220px">
          {page.ocr_error}{" "}
          {page.ocr_error_type === "terminal"
            ? "Replace the scan with a better one, or type the text."
            : "This may pass: try again in a while."}
        </Text>
        <WriteButton
          size="xs"
          variant="default"
          disabled={held}
          loading={retry.isPending}
          onClick={() => retry.mutate(page.page_num)}
        >
          Read it again
        </WriteButton>
      </Group>
    </Alert>
  );
}
