/** The text of a page: correct it, save it, approve it, go on to the next that waits for review. */
import { Button, Group, Kbd, Paper, Text } from "@mantine/core";
import { useHotkeys } from "@mantine/hooks";
import { IconCircleCheck } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import type { BookDetail, BookPage } from "../../../../../src/contract/books.ts";
import { bookPage } from "../../../api/books.ts";
import { Ago } from "../../../parts/Ago.tsx";
import { ErrorNotice } from "../../../parts/ErrorNotice.tsx";
import { LoadingRows } from "../../../parts/LoadingRows.tsx";
import { StateBadge } from "../../../parts/StateBadge.tsx";
import { WriteButton } from "../../../parts/WriteButton.tsx";
import { LeaveDialog } from "./LeaveDialog.tsx";
import styles from "./PageView.module.css";
import { stateOf } from "./page-state.tsx";
import { TextField } from "./TextField.tsx";
import { usePageText } from "./use-page-text.ts";

export interface TextPanelProps {
  book: BookDetail;
  page: BookPage;
  held: string | null;
  onSelect(page: number): void;
}

export function TextPanel({ book, page, held, onSelect }: TextPanelProps) {
  const { data, error, refetch } = useQuery(bookPage(book.id, page));
  const next = findNextUnapproved(book.pages, page.page_num);
  const text = usePageText(book.id, page, data?.ocr_text ?? "");
  const canSave = text.isDirty && held === null;
  const approveAndGoOn = () => text.approve(() => next !== null && onSelect(next));
  useHotkeys(
    [
      ["mod+S", () => canSave && text.save()],
      ["mod+Enter", () => held === null && text.canApprove && approveAndGoOn()],
    ],
    [],
  );
  const isApproved = page.status === "approved";
  return (
    <Paper withBorder className={styles.side}>
      <div className={styles.bar}>
        <Text size="sm" fw={500} component="h2">
          Text
        </Text>
        <Group gap="xs" role="status">
          {(text.isDirty || text.isSaved) && (
            <Text size="sm" c="dimmed">
              {text.isDirty ? "Not saved" : "Saved"}
            </Text>
          )}
          {isApproved ? (
            <>
              <StateBadge state="approved" />
              {page.approved_at && (
                <Text size="sm" c="dimmed">
                  <Ago at={page.approved_at} />
                </Text>
              )}
            </>
          ) : (
            page.ocr_status === "completed" && <StateBadge state="pending_review" label="to be reviewed" />
          )}
        </Group>
      </div>
      {error && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {!data && !error && <LoadingRows rows={9} height={18} />}
      {data && <TextField page={page} value={text.value} onChange={text.change} />}
      <div className={styles.foot}>
        <WriteButton
          size="xs"
          variant={text.isDirty ? "filled" : "default"}
          disabled={!canSave}
          loading={text.isSaving}
          onClick={text.save}
          aria-keyshortcuts="Control+S"
        >
          Save
        </WriteButton>
        {text.isDirty && (
          <Button size="xs" variant="default" onClick={text.discard}>
            Discard
          </Button>
        )}
        <WriteButton
          size="xs"
          variant={isApproved || text.isDirty ? "default" : "filled"}
          leftSection={<IconCircleCheck size={14} aria-hidden />}
          disabled={!text.canApprove || held !== null || (isApproved && !text.isDirty)}
          loading={text.isApproving}
          onClick={() => text.approve()}
        >
          {text.isDirty ? "Save and approve" : "Approve"}
        </WriteButton>
        <Button size="xs" variant="default" disabled={next === null} onClick={() => next !== null && onSelect(next)}>
          Next to review
        </Button>
        <Text size="xs" c="dimmed" visibleFrom="sm" ml="auto">
          {held ?? (
            <>
              <Kbd size="xs">Ctrl S</Kbd> saves, <Kbd size="xs">Ctrl ↵</Kbd> approves and goes on
            </>
          )}
        </Text>
      </div>
      <LeaveDialog
        what={`The text of page ${page.page_num}`}
        isDirty={text.isDirty}
        obstacle={held}
        save={text.saveAndWait}
        discard={text.discard}
      />
    </Paper>
  );
}

/** The next page with a text that nobody has approved; after the last one it goes on at the first. */
function findNextUnapproved(pages: readonly BookPage[], current: number): number | null {
  const waiting = pages.filter((page) => stateOf(page) === "read" && page.page_num !== current);
  const next = waiting.find(({ page_num }) => page_num > current) ?? waiting[0];
  return next?.page_num ?? null;
}
