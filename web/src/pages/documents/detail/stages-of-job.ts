/**
 * A job's stages for the timeline. One that failed is pending to the engine, as that is where a retry goes on; here it
 * failed. What was uploaded had not to be fetched, so that stage is left out.
 */
import type { DocumentDetail } from "../../../../../src/contract/documents.ts";
import type { JobDetail } from "../../../../../src/contract/jobs.ts";
import type { TimelineStage } from "../../../parts/StageTimeline.tsx";
import { jobStageLabels } from "../stages.ts";

export function stagesOfJob(
  { status, stage: current, stages }: JobDetail,
  { sourceUrl }: Pick<DocumentDetail, "sourceUrl">,
): TimelineStage[] {
  const stopped = status === "failed" || status === "cancelled" ? status : undefined;
  return stages
    .filter(({ name }) => name !== "fetch" || sourceUrl !== null)
    .map(({ name, status: stageStatus, startedAt, durationMs }) => ({
      name,
      label: jobStageLabels[name],
      status: stopped !== undefined && name === current && stageStatus !== "completed" ? stopped : stageStatus,
      startedAt,
      durationMs,
    }));
}
