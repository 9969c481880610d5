/**
 * Docmill as a library: what a `docmill.config.ts` and the pipelines in it are written with.
 *
 * @example
 * import { docmill, pipeline, z } from "docmill";
 *
 * const greet = pipeline("greet", { input: z.object({ name: z.string() }) })
 *   .stage("greet", ({ input }) => `Hello ${input.name}`);
 *
 * export default docmill({ pipelines: [greet] });
 */
export { z } from "zod";
export { type DocmillConfig, docmill } from "./config-file.ts";
export { sql } from "./db/sql.ts";
export { DocmillError, type DocmillErrorOptions, errorFromStatus, RetryableError, TerminalError } from "./errors.ts";
export type { PaidAnswer, PaidCall } from "./jobs/ledger.ts";
export { type FinishedBatch, type NewJob, type Pipeline, type PipelineOptions, pipeline } from "./jobs/pipeline.ts";
export type { RetryPolicy } from "./jobs/retry-policy.ts";
export type { ItemContext, ItemOptions, ItemResults, StageContext } from "./jobs/stage-context.ts";
