/** Has guidelines made: shows how far that is, where it stopped and how it goes on, or what came of it. */
import { Alert } from "@mantine/core";
import { useState } from "react";
import type { BookDetail } from "../../../../../src/contract/books.ts";
import { isEnded } from "../../../../../src/contract/states.ts";
import { bookKeys, type GenerateOptions, generateGuidelines } from "../../../api/books.ts";
import { ErrorNotice } from "../../../parts/ErrorNotice.tsx";
import { useAction } from "../../../parts/use-action.ts";
import { JobProgress } from "../JobProgress.tsx";
import { useBookJob } from "../use-book-job.ts";
import { GenerateForm } from "./GenerateForm.tsx";
import { GenerationOutcome } from "./GenerationOutcome.tsx";

export function GenerationPanel({ book }: { book: BookDetail }) {
  const polling = useBookJob(book, "extraction");
  const { job, error, startPolling } = polling;
  const [isChoosing, setChoosing] = useState(false);
  const start = useAction({
    run: (options: GenerateOptions) => generateGuidelines(book.id, options),
    done: ({ status, message }) => (status === "started" ? message : undefined),
    outdates: [bookKeys.one(book.id)],
    onDone: () => {
      setChoosing(false);
      startPolling();
    },
  });
  if (job === undefined) return error && <ErrorNotice error={error} onRetry={startPolling} />;
  if (job && !isEnded(job.status)) {
    return (
      <JobProgress
        job={job}
        polling={polling}
        cancelQuestion="Stop here? What was made of the pages so far stays, and it can be resumed."
      />
    );
  }
  const form = (
    <GenerateForm
      book={book}
      isAgain={job !== null}
      isStarting={start.isPending}
      onGenerate={start.mutate}
      onCancel={job === null ? undefined : () => setChoosing(false)}
    />
  );
  return (
    <>
      {start.data?.status === "already_complete" && (
        <Alert color="green" title="Nothing is left to do" withCloseButton onClose={start.reset} role="status">
          {start.data.message}. To have them made anew, choose the pages and generate again.
        </Alert>
      )}
      {job && (
        <GenerationOutcome
          book={book}
          job={job}
          isStarting={start.isPending}
          onResume={() => start.mutate({ resume: true })}
          onRestart={() => setChoosing(true)}
        />
      )}
      {(job === null || isChoosing) && form}
    </>
  );
}
