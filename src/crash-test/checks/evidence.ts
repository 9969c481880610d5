/** What the checks are made from: the tables after the run, and what the run itself has seen. */
import type { Database } from "../../db/database.ts";
import type { Sql } from "../../db/sql.ts";
import type { Accepted } from "../bring-work.ts";
import type { RunPlan } from "../plan.ts";

export interface Evidence {
  db: Database;
  plan: RunPlan;
  accepted: ReadonlyMap<number, Accepted>;
  /** What the engine did wrong in the face of those who bring and change work. */
  refusals: readonly string[];
  /** Limits that a snapshot of the rows showed exceeded. */
  exceeded: readonly string[];
  /** Worker processes that ended by themselves. */
  misbehaved: readonly string[];
}

export interface CheckedPromise {
  promise: string;
  violations: string[];
}

export type Check = (evidence: Evidence) => Promise<CheckedPromise[]>;

/** The violations a statement finds: its column `what` says each in words, with the ids to look at. */
export async function find(db: Database, statement: Sql): Promise<string[]> {
  const rows = await db.query<{ what: string }>(statement);
  return rows.map(({ what }) => what);
}
