/**
 * Docmill as a library: what a `docmill.config.ts` and the pipelines in it are written with.
 *
 * @example
 * import { docmill, pipeline, z } from "docmill";
 *
 * const greet = pipeline("greet", { input: z.object({ name: z.string() }) })
 *   .stage("greet", ({ input }) => `Hello ${input.name}`);
 *
 * export default docmill({ pipelines: [greet] });
 */
import type { z } from "zod";
import { pipeline as definePipeline, type Pipeline, type PipelineOptions } from "./jobs/pipeline.ts";
import type { DocmillServices } from "./open-services.ts";

export { z } from "zod";
export { type DocmillConfig, docmill } from "./config-file.ts";
export type {
  DocumentChunk,
  DocumentField,
  DocumentOptions,
  DocumentSummary,
  DocumentTable,
} from "./contract/documents.ts";
export { sql } from "./db/sql.ts";
export { DocmillError, type DocmillErrorOptions, errorFromStatus, RetryableError, TerminalError } from "./errors.ts";
export type { PaidAnswer, PaidCall } from "./jobs/ledger.ts";
export type { FinishedBatch, NewJob, Pipeline, PipelineOptions } from "./jobs/pipeline.ts";
export type { RetryPolicy } from "./jobs/retry-policy.ts";
export type { ItemContext, ItemOptions, ItemResults, StageContext } from "./jobs/stage-context.ts";
export type { DocmillServices } from "./open-services.ts";
export type { AddedDocument, DocumentAccess } from "./pipelines/documents/document-access.ts";
export type { AfterDocument } from "./pipelines/documents/pipeline.ts";
export type { ChatPart, ChatQuestion } from "./providers/models/chat-model.ts";
export type {
  EmbeddingProvider,
  ExtractionProvider,
  ModelProvider,
  ModelQuestion,
  OcrProvider,
  PagePicture,
  ProviderBlock,
  ProviderBox,
  ProviderCall,
  ProviderField,
  ProviderFile,
  ProviderPage,
  Providers,
  ProviderUsage,
  ProviderWord,
} from "./providers/own/own-providers.ts";
export type { FileContent, JobFile, JobFiles } from "./storage/job-files.ts";

/** What every stage of an own pipeline gets besides the engine's context. */
export interface OwnStage {
  docmill: DocmillServices;
}

/**
 * Starts the description of a kind of work. Its stages get `docmill`: documents, files, the model, OCR and embeddings of
 * the process they run in.
 *
 * @example
 * export const summaries = pipeline("summaries", { input: z.object({ documentId: z.uuid() }) })
 *   .stage("read", async ({ input, docmill }) => (await docmill.documents.markdown(input.documentId)).slice(0, 500))
 *   .stage("keep", ({ outputs, docmill }) => docmill.files.put("summary.md", outputs.read));
 */
export function pipeline<Schema extends z.ZodType>(
  kind: string,
  options: PipelineOptions<Schema>,
): Pipeline<z.output<Schema>, object, OwnStage> {
  return definePipeline<Schema, OwnStage>(kind, options);
}
