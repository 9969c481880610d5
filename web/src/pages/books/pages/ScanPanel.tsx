/** The scan of a page: look at it closely, replace it, remove the page. */
import { FileButton, Paper, SegmentedControl, Text } from "@mantine/core";
import { useLocalStorage } from "@mantine/hooks";
import { useState } from "react";
import type { BookDetail, BookPage } from "../../../../../src/contract/books.ts";
import { bookKeys, deletePage, replaceScan, scanUrl } from "../../../api/books.ts";
import { ConfirmButton } from "../../../parts/ConfirmButton.tsx";
import { useAction } from "../../../parts/use-action.ts";
import { WriteButton } from "../../../parts/WriteButton.tsx";
import { useRefreshBook } from "../use-book-changes.ts";
import styles from "./PageView.module.css";
import { scanTypes } from "./scan-types.ts";

export interface ScanPanelProps {
  book: BookDetail;
  page: BookPage;
  held: boolean;
  onDeleted(): void;
}

export function ScanPanel({ book, page, held, onDeleted }: ScanPanelProps) {
  const { page_num: number } = page;
  const [zoom, setZoom] = useLocalStorage({ key: "docmill-scan-zoom", defaultValue: "fit" });
  const refreshBook = useRefreshBook(book.id);
  const replacing = useAction({
    run: (file: File) => replaceScan(book.id, number, file),
    done: ({ ocr_error: error }) =>
      error === null ? `Page ${number} has a new scan` : `The new scan could not be read: ${error}`,
    outdates: [bookKeys.one(book.id)],
  });
  const removal = useAction({
    run: () => deletePage(book.id, number),
    done: `Page ${number} is removed`,
    outdates: [bookKeys.list],
    onDone: () => {
      // Not the text: it is that of a page that is gone.
      refreshBook();
      onDeleted();
    },
  });
  return (
    <Paper withBorder className={styles.side}>
      <div className={styles.bar}>
        <Text size="sm" fw={500} component="h2">
          Scan
        </Text>
        <SegmentedControl
          size="xs"
          aria-label="Size of the scan"
          value={zoom}
          onChange={setZoom}
          data={[
            { value: "fit", label: "Fit" },
            { value: "width", label: "Width" },
            { value: "full", label: "100 %" },
          ]}
        />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and has to by keyboard too. */}
      <section className={styles.scan} tabIndex={0} aria-label={`Scan of page ${number}`}>
        <Scan key={scanUrl(book.id, page)} url={scanUrl(book.id, page)} page={page} zoom={zoom} />
      </section>
      <div className={styles.foot}>
        <FileButton onChange={(file) => file && replacing.mutate(file)} accept={scanTypes.join(",")}>
          {(button) => (
            <WriteButton {...button} size="xs" variant="default" disabled={held} loading={replacing.isPending}>
              Replace scan
            </WriteButton>
          )}
        </FileButton>
        <ConfirmButton
          size="xs"
          disabled={held}
          loading={removal.isPending}
          question={`Remove page ${number} with its text? The pages behind it move up by one.`}
          confirm="Remove the page"
          onConfirm={removal.mutate}
        >
          Remove page
        </ConfirmButton>
      </div>
    </Paper>
  );
}

function Scan({ url, page, zoom }: { url: string; page: BookPage; zoom: string }) {
  const [isBroken, setBroken] = useState(false);
  if (isBroken) {
    return (
      <Text size="sm" c="dimmed" m="auto" p="md" ta="center">
        {page.image_key === null && page.ocr_status !== "failed"
          ? "This scan is shown once it has been converted."
          : "This scan cannot be shown: the file may be damaged."}
      </Text>
    );
  }
  return (
    <img
      className={styles.image}
      data-zoom={zoom}
      src={url}
      alt={`Scan of page ${page.page_num}`}
      onError={() => setBroken(true)}
    />
  );
}
