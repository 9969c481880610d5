/** The pipeline of the events scenario: a job whose only work is to emit. */
// biome-ignore lint/correctness/noUndeclaredDependencies: the project's own, not a second copy of bench/.
import { z } from "zod";
import { type AnyPipeline, pipeline } from "../../src/jobs/pipeline.ts";

export const tick = "tick";
export const lastEvent = "job_completed";

/** What a tick carries: when it was handed to the engine, on the machine's clock. */
export interface Tick {
  sentAt: number;
}

export function makeTicker(run: (emit: (data: Tick) => Promise<void>) => Promise<void>): AnyPipeline {
  const made = pipeline("ticker", { input: z.object({}) }).stage("tick", ({ emit }) =>
    run((data) => emit(tick, { ...data })),
  );
  return made as unknown as AnyPipeline;
}
