/** The pipelines of books: reading scans, extracting guidelines, finalizing them. Each holds its book until it has ended. */
import { bookJobTypes } from "../../contract/books.ts";
import { type AnyPipeline, pipeline, sql } from "../../jobs/index.ts";
import type { BookServices } from "./book-services.ts";
import { lockKeyOf } from "./hold-book.ts";
import { serviceRetry } from "./service-retry.ts";
import { ExtractionInput, extractGuidelines } from "./stages/extract-guidelines.ts";
import {
  FinalizationInput,
  markFinal,
  mergeDuplicates,
  refineNames,
  resummarise,
} from "./stages/finalize-guidelines.ts";
import { syncGuidelines, writeFiles } from "./stages/publish-guidelines.ts";
import { OcrInput, recognisePages } from "./stages/recognise-pages.ts";

/** A kind is what people know as the type of the job. */
export const bookKinds: readonly string[] = bookJobTypes;
const [ocrKind, extractionKind, finalizationKind] = bookJobTypes;

/** Of each kind a book shows its latest job, and whether that came to its end decides what the next one does. */
const stillNeeded = sql`
  exists (select from books b where b.id = (j.input ->> 'bookId')::uuid)
  and not exists (
    select from jobs later
    where later.kind in ('ocr_batch', 'extraction', 'finalization') and later.input ->> 'bookId' = j.input ->> 'bookId'
      and later.id > j.id and later.kind = j.kind)`;

export function createBookPipelines(services: BookServices) {
  const common = {
    // A person looks at what is there and resumes: nothing is tried again behind their back.
    retry: { attempts: 1 },
    whenLost: "fail" as const,
    limit: { name: "book_jobs", max: services.limits.maxActiveJobs },
    lockKey: ({ bookId }: { bookId: string }) => lockKeyOf(bookId),
    about: ({ bookId }: { bookId: string }) => ({ bookId }),
    createdBy: "POST /admin/books/{id}/…",
    stillNeeded,
  };
  const ocr = pipeline(ocrKind, { ...common, input: OcrInput }).stage("ocr", recognisePages(services));

  const extraction = pipeline(extractionKind, { ...common, input: ExtractionInput })
    .stage("extract", extractGuidelines(services))
    .stage("files", writeFiles(services))
    .stage("sync", syncGuidelines(services));

  const finalization = pipeline(finalizationKind, {
    ...common,
    input: FinalizationInput,
    // It has no pages to fail: what a service refuses for the moment is asked for again, from the last checkpoint.
    retry: serviceRetry,
  })
    .stage("mark_final", markFinal(services))
    .stage("refine_names", refineNames(services))
    .stage("merge", mergeDuplicates(services))
    .stage("summarise", resummarise(services))
    .stage("files", writeFiles(services))
    .stage("sync", syncGuidelines(services));

  return { ocr, extraction, finalization, all: [ocr, extraction, finalization] as unknown as AnyPipeline[] };
}

export type BookPipelines = ReturnType<typeof createBookPipelines>;
