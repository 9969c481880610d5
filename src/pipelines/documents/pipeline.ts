/** The document pipelines: reading a document, connecting it with others, and giving it vectors of a new model. */
import { z } from "zod";
import type { DocumentSummary } from "../../contract/documents.ts";
import { DocmillError, RetryableError, TerminalError } from "../../errors.ts";
import { type AnyPipeline, type NewJob, pipeline, sql } from "../../jobs/index.ts";
import { bridgeThemes } from "./connections/bridge-themes.ts";
import { compareChunks } from "./connections/compare-chunks.ts";
import { DocumentInput } from "./document-input.ts";
import type { DocumentServices } from "./document-services.ts";
import { readDocumentsById } from "./read-documents.ts";
import { chunkDocument } from "./stages/chunk-document.ts";
import { embedChunks } from "./stages/embed-chunks.ts";
import { extractPages } from "./stages/extract-pages.ts";
import { fetchFile } from "./stages/fetch-file.ts";
import { saveMarkdown } from "./stages/save-markdown.ts";

export const documentKind = "document";
const connectionsKind = "detect_connections";
const reembedKind = "reembed_document";
const readyKind = "document_ready";

export const documentKinds = [documentKind, connectionsKind, reembedKind, readyKind];

/** Says which jobs to create now that a document has become Ready. It MAY be asked again after a crash. */
export type AfterDocument = (document: DocumentSummary) => NewJob[] | Promise<NewJob[]>;

const createdBy = "POST /api/documents";

const OneDocument = z.object({ documentId: z.uuid() });

/**
 * A document's state is its job's. And the job that it came with stands for the request: a document's id is made from the
 * request's key, so whoever sends the same one again must still be led to the document that is there.
 */
const stillNeeded = sql`exists (
  select from documents d where d.id = (j.input ->> 'documentId')::uuid and (d.job_id = j.id
    or (j.input ->> 'generation' = '1' and exists (select from idempotency_keys k where k.job_id = j.id))))`;

export function createDocumentPipelines(services: DocumentServices, afterDocument?: AfterDocument) {
  const about = ({ documentId }: { documentId: string }) => ({ documentId });
  const detectConnections = pipeline(connectionsKind, { input: OneDocument, about })
    .stage("compare", compareChunks(services))
    .stage("bridge", bridgeThemes(services));

  // A job of its own: what the user's function does wrong, and a lock key it finds held, is no fault of the document.
  const ready = pipeline(readyKind, {
    input: OneDocument,
    about,
    createdBy,
    retry: { attempts: 10, baseMs: 1_000, factor: 2, capMs: 60_000 },
    classify: waitForLock,
  }).stage("follow", async ({ input, enqueue }) => {
    const [document] = await readDocumentsById(services.db, [input.documentId]);
    const jobs = document && afterDocument ? await afterDocument(document) : [];
    if (!Array.isArray(jobs)) {
      const message = "afterDocument of the config file answered with something else than a list of jobs.";
      throw new TerminalError("WRONG_FOLLOW_UP", message);
    }
    for (const job of jobs) enqueue(job);
    return { jobs: jobs.length };
  });

  const document = pipeline(documentKind, {
    input: DocumentInput,
    retry: { attempts: 3, baseMs: 1_000, factor: 2 },
    whenLost: "retry",
    createdBy,
    lockKey: ({ documentId }) => `document:${documentId}`,
    about,
    stillNeeded,
  })
    .stage("fetch", fetchFile(services))
    .stage("extract", extractPages(services))
    .stage("save_markdown", saveMarkdown(services))
    .stage("chunk", chunkDocument(services))
    .stage("embed", embedChunks(services))
    .after(({ input: { documentId } }) => [
      detectConnections.job({ documentId }),
      ...(afterDocument ? [ready.job({ documentId })] : []),
    ]);

  const reembed = pipeline(reembedKind, {
    input: OneDocument,
    lockKey: ({ documentId }) => `document:${documentId}`,
    createdBy,
    about,
  })
    .stage("embed", embedChunks(services))
    .after(({ input: { documentId } }) => [detectConnections.job({ documentId })]);

  return {
    document,
    detectConnections,
    reembed,
    all: [document, detectConnections, reembed, ready] as unknown as AnyPipeline[],
  };
}

/** The job that follows may still be at work on the reading before this one. */
function waitForLock(error: unknown): DocmillError | undefined {
  if (!(error instanceof DocmillError && error.code === "LOCK_HELD")) return undefined;
  return new RetryableError(error.code, error.message, { cause: error });
}

export type DocumentPipelines = ReturnType<typeof createDocumentPipelines>;
