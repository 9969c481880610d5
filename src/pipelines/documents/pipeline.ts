/** The document pipelines: reading a document, connecting it with others, and giving it vectors of a new model. */
import { z } from "zod";
import { type AnyPipeline, pipeline } from "../../jobs/index.ts";
import { bridgeThemes } from "./connections/bridge-themes.ts";
import { compareChunks } from "./connections/compare-chunks.ts";
import { DocumentInput } from "./document-input.ts";
import type { DocumentServices } from "./document-services.ts";
import { chunkDocument } from "./stages/chunk-document.ts";
import { embedChunks } from "./stages/embed-chunks.ts";
import { extractPages } from "./stages/extract-pages.ts";
import { fetchFile } from "./stages/fetch-file.ts";
import { saveMarkdown } from "./stages/save-markdown.ts";

export const documentKind = "document";
const connectionsKind = "detect_connections";
const reembedKind = "reembed_document";

export const documentKinds = [documentKind, connectionsKind, reembedKind];

const createdBy = "POST /api/documents";

const OneDocument = z.object({ documentId: z.uuid() });

export function createDocumentPipelines(services: DocumentServices) {
  const detectConnections = pipeline(connectionsKind, { input: OneDocument })
    .stage("compare", compareChunks(services))
    .stage("bridge", bridgeThemes(services));

  const document = pipeline(documentKind, {
    input: DocumentInput,
    retry: { attempts: 3, baseMs: 1_000, factor: 2 },
    whenLost: "retry",
    createdBy,
    lockKey: ({ documentId }) => `document:${documentId}`,
  })
    .stage("fetch", fetchFile(services))
    .stage("extract", extractPages(services))
    .stage("save_markdown", saveMarkdown(services))
    .stage("chunk", chunkDocument(services))
    .stage("embed", embedChunks(services))
    .after(({ input: { documentId } }) => [detectConnections.job({ documentId })]);

  const reembed = pipeline(reembedKind, {
    input: OneDocument,
    lockKey: ({ documentId }) => `document:${documentId}`,
    createdBy,
  })
    .stage("embed", embedChunks(services))
    .after(({ input: { documentId } }) => [detectConnections.job({ documentId })]);

  return {
    document,
    detectConnections,
    reembed,
    all: [document, detectConnections, reembed] as unknown as AnyPipeline[],
  };
}

export type DocumentPipelines = ReturnType<typeof createDocumentPipelines>;
