/** Which stage of a sheet people are told of. A stage that has nothing to do for a sheet does not name itself. */
import type { SheetStage } from "../../contract/batches.ts";
import type { JobState } from "../../contract/states.ts";

interface StageDetail {
  stage?: SheetStage;
}

/** The progress a stage reports when it begins with something. */
export function inStage(stage: SheetStage, message: string): { message: string; detail: StageDetail } {
  return { message, detail: { stage } };
}

export function shownStage(status: JobState, detail: StageDetail | null): SheetStage {
  switch (status) {
    case "pending":
      return "queued";
    case "running":
      return detail?.stage ?? "queued";
    case "completed":
      return "done";
    case "failed":
      return "failed";
    case "cancelled":
      return "cancelled";
  }
}
