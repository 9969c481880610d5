/** What failed of late and has not been put right since, as lines with the server's own reason and the way to fix it. */
import type { BatchSummary } from "../../../../src/contract/batches.ts";
import type { Book } from "../../../../src/contract/books.ts";
import type { DocumentSummary } from "../../../../src/contract/documents.ts";
import type { JobSummary } from "../../../../src/contract/jobs.ts";
import { fixOf } from "../../parts/failure-fix.ts";
import { countOf } from "../../parts/format.ts";
import { nameOfKind } from "./name-of-kind.ts";
import { heldBy, type PlaceLink, toBatch, toBook, toDocument, toJob, toJobs } from "./place-link.ts";

/** What the button does at once. */
export type Fix = { by: "document"; id: string } | { by: "batch"; id: string } | { by: "jobs"; ids: readonly string[] };

/** What is put right on its own page, where there is more to choose from: a book, or a file that no try would help. */
interface FixByHand {
  by: "hand";
  verb: "Open" | "Resume";
}

export interface Failure {
  key: string;
  title: string;
  link: PlaceLink;
  why: string;
  at: string;
  fix: Fix | FixByHand;
}

export interface FailureSources {
  /** Failed ones, newest first. */
  jobs: readonly JobSummary[];
  documents: readonly DocumentSummary[];
  batches: readonly BatchSummary[];
  books: readonly Book[];
  /** Failed jobs of books that are the last of their type: nobody has resumed them. */
  unresumed: ReadonlySet<string>;
}

const dayMs = 24 * 3_600_000;
const latelyMs = 7 * dayMs;
const unsaid = "The server gave no reason.";

export function describeFailures(sources: FailureSources, now: number): Failure[] {
  return [
    ...describeDocuments(sources),
    ...describeBatches(sources),
    ...describeBooks(sources),
    ...describeOthers(sources),
  ]
    .filter(({ at }) => Date.parse(at) > now - latelyMs)
    .sort((one, other) => Date.parse(other.at) - Date.parse(one.at));
}

function describeDocuments({ documents, jobs }: FailureSources): Failure[] {
  const endOf = new Map(jobs.map(({ id, completedAt }) => [id, completedAt]));
  return documents.map(({ id, title, filename, jobId, errorCode, errorMessage, createdAt }) => ({
    key: `document ${id}`,
    title: title ?? filename,
    link: toDocument(id),
    why: errorMessage ?? unsaid,
    at: endOf.get(jobId) ?? createdAt,
    fix: fixOf(errorCode) === "retry" ? { by: "document", id } : { by: "hand", verb: "Open" },
  }));
}

function describeBatches({ batches, jobs }: FailureSources): Failure[] {
  const ended = batches.filter(({ status }) => status === "failed" || status === "partial");
  // That a swimmer is not in a sheet is an answer, though the server counts the sheet as failed.
  const failed = ended.filter(({ failedJobs, withoutSwimmer }) => failedJobs > withoutSwimmer);
  const reasons = jobs.filter(({ errorCode }) => errorCode !== "SWIMMER_NOT_FOUND");
  return failed.map(({ id, swimmerName, failedJobs, withoutSwimmer, totalJobs, completedAt, createdAt }) => {
    const reason = reasons.find(({ batchId }) => batchId === id)?.errorMessage;
    const count = `${failedJobs - withoutSwimmer} of ${countOf(totalJobs, "sheet")} failed`;
    return {
      key: `batch ${id}`,
      title: `Heat sheets for ${swimmerName}`,
      link: toBatch(id),
      why: reason ? `${count}: ${reason}` : `${count}.`,
      at: completedAt ?? createdAt,
      fix: { by: "batch", id },
    };
  });
}

function describeBooks({ jobs, books, unresumed }: FailureSources): Failure[] {
  return jobs.flatMap((job): Failure[] => {
    const bookId = heldBy(job, "book");
    const book = books.find(({ id }) => id === bookId);
    if (!book || !unresumed.has(job.id)) return [];
    return [
      {
        key: `job ${job.id}`,
        title: book.title,
        link: toBook(book.id),
        why: `${nameOfKind(job.kind)} failed: ${job.errorMessage ?? unsaid}`,
        at: job.completedAt ?? job.createdAt,
        fix: { by: "hand", verb: "Resume" },
      },
    ];
  });
}

/** Those of one kind in one line: what fails for one reason fails often. */
function describeOthers({ jobs }: FailureSources): Failure[] {
  const others = jobs.filter(
    (job) => job.kind !== "document" && job.kind !== "heat_sheet" && heldBy(job, "book") === undefined,
  );
  return [...Map.groupBy(others, ({ kind }) => kind)].flatMap(([kind, alike]): Failure[] => {
    const [latest] = alike;
    if (!latest) return [];
    const many = alike.length > 1;
    return [
      {
        key: `kind ${kind}`,
        title: many ? `${nameOfKind(kind)} (${countOf(alike.length, "job")})` : nameOfKind(kind),
        link: many ? toJobs({ kind, state: "failed" }) : toJob(latest.id),
        why: latest.errorMessage ?? unsaid,
        at: latest.completedAt ?? latest.createdAt,
        fix: { by: "jobs", ids: alike.map(({ id }) => id) },
      },
    ];
  });
}
