/**
 * Two tables that show what was really done. `executions` is written at once when work begins, `effects` together with
 * a checkpoint; neither has a unique constraint, so whatever happens twice is there twice.
 */
import type { Queryable } from "../../src/db/database.ts";
import { sql } from "../../src/db/sql.ts";

export async function createEffectTables(db: Queryable): Promise<void> {
  await db.query(sql`create table executions (job_id uuid not null, what text not null)`);
  await db.query(sql`create table effects (job_id uuid not null, what text not null)`);
}

export async function recordExecution(db: Queryable, jobId: string, what: string): Promise<void> {
  await db.query(sql`insert into executions (job_id, what) values (${jobId}, ${what})`);
}

export async function writeEffect(tx: Queryable, jobId: string, what: string): Promise<string> {
  await tx.query(sql`insert into effects (job_id, what) values (${jobId}, ${what})`);
  return what;
}

/** How often each thing was begun, by name. */
export function countExecutions(db: Queryable, jobId: string): Promise<Record<string, number>> {
  return toCounts(db.query(sql`select what, count(*) as times from executions where job_id = ${jobId} group by what`));
}

/** How often each thing was written, by name. */
export function countEffects(db: Queryable, jobId: string): Promise<Record<string, number>> {
  return toCounts(db.query(sql`select what, count(*) as times from effects where job_id = ${jobId} group by what`));
}

async function toCounts(query: Promise<object[]>): Promise<Record<string, number>> {
  const rows = (await query) as { what: string; times: number }[];
  return Object.fromEntries(rows.map(({ what, times }) => [what, times]));
}
