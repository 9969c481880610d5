/** What was done of late, as lines that lead to the results. */
import type { BatchSummary } from "../../../../src/contract/batches.ts";
import type { Book } from "../../../../src/contract/books.ts";
import type { DocumentSummary } from "../../../../src/contract/documents.ts";
import type { JobSummary } from "../../../../src/contract/jobs.ts";
import { countOf } from "../../parts/format.ts";
import { heldBy, type PlaceLink, toBatch, toBook, toDocument } from "./place-link.ts";

export interface Finished {
  key: string;
  what: "document" | "batch" | "book";
  title: string;
  link: PlaceLink;
  /** What came of it. */
  outcome: string;
  at: string;
}

export interface FinishedSources {
  /** Documents that are ready. */
  documents: readonly DocumentSummary[];
  batches: readonly BatchSummary[];
  books: readonly Book[];
  /** Completed jobs of books. */
  jobs: readonly JobSummary[];
}

const outcomes: Record<string, string> = {
  ocr_batch: "Scans read",
  extraction: "Guidelines written",
  finalization: "Guidelines finished",
};

export function describeFinished({ documents, batches, books, jobs }: FinishedSources): Finished[] {
  const byTime = (one: Finished, other: Finished) => Date.parse(other.at) - Date.parse(one.at);
  return [
    ...documents.map(describeDocument),
    ...batches.filter(isRead).map(describeBatch),
    ...latestOfEachBook(jobs.flatMap((job) => describeBook(job, books)).sort(byTime)),
  ].sort(byTime);
}

function describeDocument(document: DocumentSummary): Finished {
  const { id, title, filename, pageCount, chunkCount, tableCount, processedAt, createdAt } = document;
  const parts = [
    pageCount !== null && countOf(pageCount, "page"),
    countOf(chunkCount, "passage"),
    tableCount > 0 && countOf(tableCount, "table"),
  ];
  return {
    key: `document ${id}`,
    what: "document",
    title: title ?? filename,
    link: toDocument(id),
    outcome: parts.filter(Boolean).join(" · "),
    at: processedAt ?? createdAt,
  };
}

/** A sheet that the swimmer is not in has been read as well. */
function isRead({ status, completedJobs, withoutSwimmer, totalJobs }: BatchSummary): boolean {
  const hasFailed = status === "failed" || status === "partial";
  return status === "completed" || (hasFailed && completedJobs + withoutSwimmer === totalJobs);
}

function describeBatch({ id, swimmerName, totalJobs, withoutSwimmer, completedAt, createdAt }: BatchSummary): Finished {
  const isAbsent = withoutSwimmer === totalJobs;
  return {
    key: `batch ${id}`,
    what: "batch",
    title: `Heat sheets for ${swimmerName}`,
    link: toBatch(id),
    outcome: `${countOf(totalJobs, "sheet")} read${isAbsent ? " · swimmer not found" : ""}`,
    at: completedAt ?? createdAt,
  };
}

function describeBook(job: JobSummary, books: readonly Book[]): Finished[] {
  const bookId = heldBy(job, "book");
  const book = books.find(({ id }) => id === bookId);
  if (!book) return [];
  const outcome = outcomes[job.kind] ?? "Done";
  const at = job.completedAt ?? job.createdAt;
  return [{ key: `book ${book.id}`, what: "book", title: book.title, link: toBook(book.id), outcome, at }];
}

function latestOfEachBook(sorted: readonly Finished[]): Finished[] {
  return [...Map.groupBy(sorted, ({ key }) => key).values()].flatMap(([latest]) => latest ?? []);
}
