/** Where the processing of a document is, in words: of its list entry, and of its job's stages. */
import type { ProcessingStage } from "../../../../src/contract/documents.ts";

const stageWords: Record<ProcessingStage, string> = {
  pending: "Waiting for its turn",
  extracting: "Reading its pages",
  extracted: "Pages read, waiting",
  saving_markdown: "Writing its text",
  markdown_saved: "Text written, waiting",
  chunking: "Cutting passages",
  chunked: "Passages cut, waiting",
  embedding: "Making it searchable",
  embedded: "Searchable, finishing",
  complete: "Ready",
  failed: "Failed",
  cancelled: "Cancelled",
};

export function describeStage(stage: ProcessingStage): string {
  return stageWords[stage];
}

/** Whether it waits between two stages, or for the first. */
export function isWaiting(stage: ProcessingStage): boolean {
  return stage === "pending" || stage === "extracted" || stage === "markdown_saved" || stage === "chunked";
}

/** The stages of the job that reads a document. */
export const jobStageLabels: Record<string, string> = {
  fetch: "Fetch the file",
  extract: "Read the pages",
  save_markdown: "Write the text",
  chunk: "Cut into passages",
  embed: "Make it searchable",
};
