/** Everything about documents that a process has open: what servers and workers are built on. */
import type { DocumentActions } from "./change-documents.ts";
import type { DocumentServices } from "./document-services.ts";
import type { DocumentPipelines } from "./pipeline.ts";

export interface Documents {
  services: DocumentServices;
  pipelines: DocumentPipelines;
  actions: DocumentActions;
}
