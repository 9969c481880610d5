/** A job's stages for the timeline: the one it stopped in says so, the one it is in says what it does. */
import type { JobDetail } from "../../../../../src/contract/jobs.ts";
import type { TimelineStage } from "../../../parts/StageTimeline.tsx";

export function showStages({ stages, stage: current, status, message }: JobDetail): TimelineStage[] {
  return stages.map(({ name, status: stageStatus, startedAt, durationMs }) => {
    const shown = { name, startedAt, durationMs };
    if (name !== current || stageStatus === "completed") return { ...shown, status: stageStatus };
    if (status === "failed" || status === "cancelled") return { ...shown, status };
    return { ...shown, status: stageStatus, note: stageStatus === "running" ? (message ?? undefined) : undefined };
  });
}
