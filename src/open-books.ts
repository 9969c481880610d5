/** What books need of what documents have open already, and the pipelines on it. */
import type { Settings } from "./config.ts";
import type { BookServices } from "./pipelines/books/book-services.ts";
import { type BookPipelines, createBookPipelines } from "./pipelines/books/pipeline.ts";
import type { DocumentServices } from "./pipelines/documents/document-services.ts";

const maxFilesPerUpload = 200;
const maxPages = 500;

export function openBooks(
  settings: Settings,
  documents: DocumentServices,
): { services: BookServices; pipelines: BookPipelines } {
  const { db, blobs, reader, ocr, model, embedder, limits } = documents;
  const services: BookServices = {
    db,
    blobs,
    reader,
    ocr,
    model,
    embedder,
    limits: {
      maxActiveJobs: settings.maxActiveBookJobs,
      maxFilesPerUpload,
      maxPages,
      maxImageBytes: settings.maxImageMb * 2 ** 20,
      pagesAtOnce: limits.pagesAtOnce,
    },
  };
  return { services, pipelines: createBookPipelines(services) };
}
