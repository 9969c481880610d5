/** What becomes of scans: the job that reads them, or which of them have no text and the button that reads these. */
import { Alert, Group, Text } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import type { BookDetail, BookJob } from "../../../../../src/contract/books.ts";
import { isEnded } from "../../../../../src/contract/states.ts";
import { bookKeys, retryFailedPages } from "../../../api/books.ts";
import type { JobPolling } from "../../../live/use-job-polling.ts";
import { ErrorNotice } from "../../../parts/ErrorNotice.tsx";
import { countOf } from "../../../parts/format.ts";
import { useAction } from "../../../parts/use-action.ts";
import { WriteButton } from "../../../parts/WriteButton.tsx";
import { activeJobOf } from "../active-job.ts";
import { JobProgress } from "../JobProgress.tsx";

export function OcrPanel({ book, ocr }: { book: BookDetail; ocr: JobPolling }) {
  const { job, error, startPolling } = ocr;
  const retry = useAction({
    run: () => retryFailedPages(book.id),
    done: ({ status, message }) => (status === "already_complete" ? message : undefined),
    outdates: [bookKeys.one(book.id)],
    onDone: startPolling,
  });
  if (job && !isEnded(job.status)) {
    return (
      <JobProgress
        job={job}
        polling={ocr}
        cancelQuestion="Stop reading? Pages that are read keep their text; the others can be read later."
      />
    );
  }
  if (error && job === undefined) return <ErrorNotice error={error} onRetry={startPolling} />;
  const unread = book.pages.filter(({ ocr_status }) => ocr_status !== "completed");
  if (!job || unread.length === 0 || activeJobOf(book)) return null;
  const failed = unread.filter(({ ocr_status }) => ocr_status === "failed").length;
  return (
    <Alert
      color={job.status === "failed" ? "red" : "yellow"}
      icon={<IconAlertTriangle aria-hidden />}
      title={titleOf(job, unread.length)}
      role="alert"
    >
      <Group justify="space-between" align="flex-end" gap="sm">
        <Text size="sm" flex="1 1 260px">
          {job.error_message ?? sayUnread(failed, unread.length)}
        </Text>
        <WriteButton size="xs" loading={retry.isPending} onClick={() => retry.mutate()}>
          {sayButton(job, failed, unread.length)}
        </WriteButton>
      </Group>
    </Alert>
  );
}

function titleOf({ status }: BookJob, unread: number): string {
  if (status === "failed") return "OCR stopped before the last page";
  if (status === "cancelled") return "OCR was cancelled";
  return unread === 1 ? "1 page has no text" : `${unread} pages have no text`;
}

function sayUnread(failed: number, unread: number): string {
  const rest = unread - failed;
  const parts = [
    failed > 0 && `${countOf(failed, "page")} could not be read`,
    rest > 0 && `${countOf(rest, "page")} not tried yet`,
  ];
  return `${parts.filter(Boolean).join(", ")}. Open a page to see why, replace its scan or type its text.`;
}

function sayButton({ status }: BookJob, failed: number, unread: number): string {
  if (status !== "completed") return `Resume with ${countOf(unread, "page")}`;
  return failed === unread ? `Retry ${countOf(failed, "failed page")}` : `Read ${countOf(unread, "page")}`;
}
