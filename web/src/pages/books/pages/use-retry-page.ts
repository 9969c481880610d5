/** Reads one page again. The answer comes with the outcome, which may be that it failed again. */
import { notifications } from "@mantine/notifications";
import { bookKeys, retryPage } from "../../../api/books.ts";
import { useAction } from "../../../parts/use-action.ts";

export function useRetryPage(bookId: string) {
  return useAction({
    run: (page: number) => retryPage(bookId, page),
    outdates: [bookKeys.one(bookId)],
    onDone: ({ ocr_error: error }, page) => {
      if (error === null) notifications.show({ message: `Page ${page} has been read`, color: "green" });
      else notifications.show({ title: `Page ${page} could not be read`, message: error, color: "red" });
    },
  });
}
