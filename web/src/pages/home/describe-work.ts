/**
 * What is under way, as lines people recognise: a document by its title, a batch of heat sheets by its swimmer and a book
 * by its name, each once; whatever else runs by what it does.
 */
import type { BatchSummary } from "../../../../src/contract/batches.ts";
import type { Book } from "../../../../src/contract/books.ts";
import type { DocumentSummary, ProcessingStage } from "../../../../src/contract/documents.ts";
import type { JobSummary } from "../../../../src/contract/jobs.ts";
import { countOf } from "../../parts/format.ts";
import { nameOfKind } from "./name-of-kind.ts";
import { heldBy, type PlaceLink, toBatch, toBook, toDocument, toJob, toJobs } from "./place-link.ts";

export interface Work {
  key: string;
  what: "document" | "batch" | "book" | "other";
  title: string;
  link: PlaceLink;
  state: "running" | "pending";
  done: number;
  failed: number;
  /** Null while it is not known. */
  total: number | null;
  message: string | null;
  /** When it began or came; what came first is done first. */
  since: string;
}

export interface WorkSources {
  running: readonly JobSummary[];
  waiting: readonly JobSummary[];
  /** Documents that are being processed. */
  documents: readonly DocumentSummary[];
  batches: readonly BatchSummary[];
  books: readonly Book[];
}

export function describeWork({ running, waiting, documents, batches, books }: WorkSources): Work[] {
  // The two are asked for one after the other: a job that was started in between is in both.
  const started = new Set(running.map(({ id }) => id));
  const jobs = [...running, ...waiting.filter(({ id }) => !started.has(id))];
  const jobById = new Map(jobs.map((job) => [job.id, job]));
  const ofKind = (kind: string) => jobs.filter((job) => job.kind === kind);
  const others = jobs.filter((job) => !isNamed(job));
  return [
    ...documents.map((document) => describeDocument(document, jobById.get(document.jobId))),
    ...describeBatches(batches, ofKind("heat_sheet")),
    ...jobs.flatMap((job) => describeBook(job, books)),
    ...[...Map.groupBy(others, ({ kind }) => kind)].map(([kind, alike]) => describeOthers(kind, alike)),
  ].sort(byTurn);
}

/** Whether a job stands behind a line of its own: a document, a batch or a book. */
function isNamed(job: JobSummary): boolean {
  return job.kind === "document" || isSheet(job) || heldBy(job, "book") !== undefined;
}

const isSheet = ({ kind, batchId }: JobSummary) => kind === "heat_sheet" && batchId !== null;

const stageNames: Partial<Record<ProcessingStage, string>> = {
  extracting: "Reading",
  saving_markdown: "Saving the text",
  chunking: "Finding passages",
  embedding: "Preparing for search",
};

function describeDocument(document: DocumentSummary, job?: JobSummary): Work {
  const { id, title, filename, createdAt, progress, stage } = document;
  return {
    key: `document ${id}`,
    what: "document",
    title: title ?? filename,
    link: toDocument(id),
    state: job?.status === "running" ? "running" : "pending",
    done: progress.completedItems,
    failed: progress.failedItems,
    total: progress.totalItems,
    message: progress.message ?? stageNames[stage] ?? null,
    since: job?.startedAt ?? createdAt,
  };
}

/** Those that have not ended, and any whose sheets are under way although they are not among the newest batches. */
function describeBatches(batches: readonly BatchSummary[], sheets: readonly JobSummary[]): Work[] {
  const sheetsOf = Map.groupBy(sheets.filter(isSheet), ({ batchId }) => batchId as string);
  const active = batches.filter(({ status }) => status === "pending" || status === "running");
  const listed = active.map((batch): Work => {
    const running = (sheetsOf.get(batch.id) ?? []).filter(({ status }) => status === "running");
    return {
      key: `batch ${batch.id}`,
      what: "batch",
      title: `Heat sheets for ${batch.swimmerName}`,
      link: toBatch(batch.id),
      state: batch.status === "running" ? "running" : "pending",
      done: batch.completedJobs + batch.withoutSwimmer,
      failed: batch.failedJobs - batch.withoutSwimmer,
      total: batch.totalJobs,
      message: running.length > 0 ? `${countOf(running.length, "sheet")} being read` : null,
      since: batch.startedAt ?? batch.createdAt,
    };
  });
  const known = new Set(batches.map(({ id }) => id));
  const unlisted = [...sheetsOf].filter(([id]) => !known.has(id));
  return [
    ...listed,
    ...unlisted.map(([id, alike]) => ({
      ...describeOthers("heat_sheet", alike),
      key: `batch ${id}`,
      what: "batch" as const,
      title: "Heat sheets",
      link: toBatch(id),
    })),
  ];
}

function describeBook(job: JobSummary, books: readonly Book[]): Work[] {
  const bookId = heldBy(job, "book");
  if (bookId === undefined) return [];
  const line = describeOthers(job.kind, [job]);
  const title = books.find(({ id }) => id === bookId)?.title ?? "A book";
  const message = job.message ? `${line.title}: ${job.message}` : line.title;
  return [{ ...line, key: `book ${bookId}`, what: "book", title, link: toBook(bookId), message }];
}

/** Jobs of one kind in one line: they come and go too fast to have lines of their own. */
function describeOthers(kind: string, alike: readonly JobSummary[]): Work {
  const running = alike.filter(({ status }) => status === "running");
  const [first] = running.length > 0 ? running : alike;
  const one = alike.length === 1 ? first : undefined;
  return {
    key: `kind ${kind}`,
    what: "other",
    title: nameOfKind(kind),
    link: one ? toJob(one.id) : toJobs({ kind }),
    state: running.length > 0 ? "running" : "pending",
    done: one?.completedItems ?? 0,
    failed: one?.failedItems ?? 0,
    total: one?.totalItems ?? null,
    message: one ? one.message : countOf(alike.length, "job"),
    since: first?.startedAt ?? first?.createdAt ?? "",
  };
}

/** What runs before what waits, and in both the oldest first: lines keep their places while others end. */
function byTurn(one: Work, other: Work): number {
  if (one.state !== other.state) return one.state === "running" ? -1 : 1;
  return one.since < other.since ? -1 : one.since > other.since ? 1 : one.key < other.key ? -1 : 1;
}
