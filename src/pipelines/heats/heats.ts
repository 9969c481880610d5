/** Everything about batches of heat sheets that a process has open: what servers and workers are built on. */
import type { BatchActions } from "./change-batches.ts";
import type { HeatServices } from "./heat-services.ts";
import type { HeatPipelines } from "./pipeline.ts";

export interface Heats {
  services: HeatServices;
  pipelines: HeatPipelines;
  actions: BatchActions;
}
