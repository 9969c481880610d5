/** What pipelines are written with: the author's side of the engine. */
export type { Database, Transaction } from "../db/database.ts";
export { rowsOf } from "../db/rows.ts";
export { allOf, nothing, type Sql, sql, toJson } from "../db/sql.ts";
export { decodeCursor, encodeCursor } from "./cursor.ts";
export type { Engine } from "./engine.ts";
export type { PaidAnswer, PaidCall } from "./ledger.ts";
export { newId } from "./new-id.ts";
export { type AnyPipeline, type FinishedBatch, type NewJob, type Pipeline, pipeline } from "./pipeline.ts";
export type { RetryPolicy } from "./retry-policy.ts";
export type { ItemContext, ItemOptions, ItemResults, StageContext } from "./stage-context.ts";
