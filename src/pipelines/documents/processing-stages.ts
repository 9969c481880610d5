/** The pipeline's stages in the words people know them by: what is under way, and the checkpoint it ends in. */
import type { ProcessingStage } from "../../contract/documents.ts";
import type { JobState } from "../../contract/states.ts";

/** In order. Fetching belongs to extracting: it has no name of its own outside. */
export const stageWords: readonly { name: string; during: ProcessingStage; done?: ProcessingStage }[] = [
  { name: "fetch", during: "extracting" },
  { name: "extract", during: "extracting", done: "extracted" },
  { name: "save_markdown", during: "saving_markdown", done: "markdown_saved" },
  { name: "chunk", during: "chunking", done: "chunked" },
  { name: "embed", during: "embedding", done: "embedded" },
];

/** Where a document's job is, by its state and the stages that have a checkpoint. */
export function stageOf(state: JobState, doneStages: readonly string[]): ProcessingStage {
  switch (state) {
    case "completed":
      return "complete";
    case "failed":
      return "failed";
    case "cancelled":
      return "cancelled";
    case "running":
      return stageWords.find(({ name }) => !doneStages.includes(name))?.during ?? "complete";
    case "pending": {
      const reached = stageWords.filter(({ name, done }) => done && doneStages.includes(name));
      return reached.at(-1)?.done ?? "pending";
    }
  }
}
