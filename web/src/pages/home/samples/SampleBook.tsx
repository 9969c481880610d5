/** The sample book, taken through its three steps. */
import { Group, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { BookDetail } from "../../../../../src/contract/books.ts";
import { ButtonLink } from "../../../parts/ButtonLink.tsx";
import { ErrorNotice } from "../../../parts/ErrorNotice.tsx";
import { countOf } from "../../../parts/format.ts";
import { ProgressLine } from "../../../parts/ProgressLine.tsx";
import { StateBadge } from "../../../parts/StateBadge.tsx";
import { WriteButton } from "../../../parts/WriteButton.tsx";
import { type BookPlace, type BookStep, bookSteps, placeOfBook } from "./book-steps.ts";
import classes from "./SampleCard.module.css";
import { SampleCard } from "./SampleCard.tsx";
import { sampleBook } from "./sample-queries.ts";
import { type BookDriver, useBookDriver } from "./use-book-driver.ts";

const nameOf: Record<BookStep, (book: BookDetail) => string> = {
  reading: ({ total_pages }) => `Read ${countOf(total_pages, "scanned page")}`,
  writing: () => "Write guidelines from them",
  finishing: () => "Name and merge topics",
};

export function SampleBook({ id }: { id: string }) {
  const { data: book, error, refetch } = useQuery(sampleBook(id));
  const driver = useBookDriver(id, book);
  const place = book && placeOfBook(book);
  const isFinished = place?.step === "finishing" && place.job?.status === "completed";
  return (
    <SampleCard
      what="book"
      title={book ? `A book: ${book.title}` : "A book"}
      description="Scanned pages become text, and from the text guidelines are written, topic by topic."
      error={error}
      onRetry={() => void refetch()}
      action={
        isFinished && (
          <ButtonLink to="/books/$bookId" params={{ bookId: id }} search={{ tab: "guidelines" }} variant="light">
            Look at the guidelines
          </ButtonLink>
        )
      }
    >
      {book && place && (
        <>
          <ol className={classes.rows}>
            {bookSteps.map((step) => (
              <li key={step} className={classes.row}>
                <Text size="sm">{nameOf[step](book)}</Text>
                <StateBadge {...lookOf(step, place)} />
              </li>
            ))}
          </ol>
          <StepProgress pages={book.total_pages} place={place} driver={driver} />
        </>
      )}
    </SampleCard>
  );
}

function lookOf(step: BookStep, { step: present, job }: BookPlace): { state: string; label?: string } {
  const [place, now] = [bookSteps.indexOf(step), bookSteps.indexOf(present)];
  const state = place < now ? "completed" : place > now ? "pending" : (job?.status ?? "pending");
  if (state === "completed") return { state, label: "done" };
  return state === "pending" ? { state, label: "waiting" } : { state };
}

interface StepProgressProps {
  pages: number;
  place: BookPlace;
  driver: BookDriver;
}

function StepProgress({ pages, place: { step, job }, driver }: StepProgressProps) {
  if (driver.error) return <ErrorNotice error={driver.error} onRetry={() => driver.start(step)} />;
  if (job?.status === "failed" || job?.status === "cancelled") {
    return (
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <Text size="sm">{job.error_message ?? "It was cancelled."}</Text>
        <WriteButton size="xs" variant="default" loading={driver.isStarting} onClick={() => driver.start(step)}>
          Try again
        </WriteButton>
      </Group>
    );
  }
  const isFinished = step === "finishing" && job?.status === "completed";
  // The server does the step that has begun; the one after it is started from here.
  const isLast = step === "finishing" && job !== null;
  const [done, total] = isFinished ? [pages, pages] : [job?.completed_items ?? 0, job?.total_items ?? null];
  return (
    <ProgressLine
      label="Sample book"
      done={done}
      failed={job?.failed_items ?? 0}
      total={total}
      message={isFinished ? "all steps done" : isLast ? "goes on by itself" : "goes on while this page is open"}
    />
  );
}
