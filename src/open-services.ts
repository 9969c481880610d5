/**
 * What the stages of a user's own pipelines get as `docmill`: documents, files, and whoever does OCR, embeddings and
 * answers questions here. The engine knows nothing of it; it is put into the stages when a process is put together.
 */
import sharp from "sharp";
import { TerminalError } from "./errors.ts";
import { type AnyPipeline, Pipeline, type Stage } from "./jobs/pipeline.ts";
import type { StageContext } from "./jobs/stage-context.ts";
import type { Word } from "./layout/page.ts";
import { type DocumentAccess, openDocumentAccess } from "./pipelines/documents/document-access.ts";
import type { Documents } from "./pipelines/documents/documents.ts";
import type { ChatQuestion } from "./providers/models/chat-model.ts";
import { type JobFiles, openJobFiles } from "./storage/job-files.ts";

/** Paid calls made through it are in the ledger, in the name of the job. */
export interface DocmillServices {
  documents: DocumentAccess;
  /** Files of this job, in Docmill's storage: any worker reads what another has written. */
  files: JobFiles;
  /** The language model; undefined where none is configured. */
  model: { name: string; complete<Answer>(question: ChatQuestion<Answer>): Promise<Answer> } | undefined;
  /** Vectors of length 1, in the order of the texts. */
  embed(texts: readonly string[]): Promise<Float32Array[]>;
  /** The words on an image (PNG, JPEG, TIFF, WebP), with boxes in points. */
  ocr(image: Uint8Array, options?: { dpi?: number }): Promise<{ words: Word[]; width: number; height: number }>;
}

type GivenDocuments = Pick<Documents, "services" | "actions">;

const usualDpi = 300;

/** The same pipelines, with services in the context of their stages. `documents` is asked when a stage runs. */
export function giveServices(pipelines: readonly AnyPipeline[], documents: () => GivenDocuments): AnyPipeline[] {
  return pipelines.map(({ kind, inputSchema, options, stages, follow }) => {
    const given = stages.map(({ name, run }): Stage => {
      return { name, run: (context) => run(withServices(context, documents)) };
    });
    return new Pipeline(kind, inputSchema, options, given, follow);
  });
}

function withServices<Context extends StageContext<never, never>>(
  context: Context,
  documents: () => GivenDocuments,
): Context {
  return Object.defineProperty(context, "docmill", { value: openServices(documents(), context), enumerable: true });
}

function openServices(documents: GivenDocuments, { job, signal, remember }: StageContext<never, never>) {
  const { blobs, embedder, model, ocr } = documents.services;
  const call = { signal, remember };
  return {
    documents: openDocumentAccess(documents, job, signal),
    files: openJobFiles(blobs, job.id, signal),
    model: model && { name: model.model, complete: (question) => model.complete(question, call) },
    embed: (texts) => embedder.embed(texts, call),
    async ocr(image, { dpi = usualDpi } = {}) {
      const { width, height } = await sharp(image)
        .metadata()
        .catch((error: unknown) => {
          throw new TerminalError("CORRUPT_IMAGE", "What OCR was asked to read is no image.", { cause: error });
        });
      // A copy: what is recognised may be moved to a thread.
      const page = { data: new Uint8Array(image), format: "encoded" as const, width, height, dpi };
      return ocr.recognise(page, call);
    },
  } satisfies DocmillServices;
}
