/** What pipelines are written with: the author's side of the engine. */
export type { Database, Transaction } from "../db/database.ts";
export { rowsOf } from "../db/rows.ts";
export { allOf, type Sql, sql, toJson } from "../db/sql.ts";
export { decodeCursor, encodeCursor, isInt4, isUuid } from "./cursor.ts";
export { derivedId } from "./derived-id.ts";
export type { Engine } from "./engine.ts";
export { newId } from "./new-id.ts";
export { type AnyPipeline, type FinishedBatch, type NewJob, pipeline } from "./pipeline.ts";
export type { Commit, ItemContext, ItemResults, Skipped, StageContext } from "./stage-context.ts";
