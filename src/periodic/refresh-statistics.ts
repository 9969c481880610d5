/**
 * Keeps the planner's statistics from falling behind. Autovacuum does so by itself, but it counts changes in memory that a
 * crash of the server loses: a table that was filled before then may go without statistics for days, and be read by plans
 * made for an empty one. So what autovacuum has clearly missed is analyzed here, and nothing else.
 */
import { type Database, sqlState } from "../db/database.ts";
import { type Sql, sql } from "../db/sql.ts";
import type { TurnContext } from "./periodic-task.ts";

/** ANALYZE takes no parameters, so each is spelled out. */
const analyzing: Record<string, Sql> = {
  jobs: sql`analyze jobs`,
  event_rows: sql`analyze event_rows`,
  job_items: sql`analyze job_items`,
  job_stages: sql`analyze job_stages`,
  job_errors: sql`analyze job_errors`,
  batches: sql`analyze batches`,
  ledger: sql`analyze ledger`,
  ledger_uses: sql`analyze ledger_uses`,
  idempotency_keys: sql`analyze idempotency_keys`,
  documents: sql`analyze documents`,
  document_pages: sql`analyze document_pages`,
  chunks: sql`analyze chunks`,
  chunk_vectors: sql`analyze chunk_vectors`,
  connections: sql`analyze connections`,
};

/** More than twice what makes autovacuum act at its default settings. */
const leastChanges = 1_000;
const changedShare = 0.2;
const notSmall = 2 ** 20;
const lockNotAvailable = "55P03";

/** Answers how many tables were analyzed. */
export async function refreshStatistics(db: Database, { signal, dryRun }: TurnContext): Promise<number> {
  const behind = await db.query<{ name: string }>(sql`
    select c.relname as name
    from pg_class c join pg_stat_user_tables s on s.relid = c.oid
    where c.oid = any (array(select to_regclass(name) from unnest(${Object.keys(analyzing)}::text[]) as known (name)))
      and (s.n_mod_since_analyze > ${leastChanges} + ${changedShare} * greatest(c.reltuples, 0)
        -- Never analyzed as far as the server remembers, and not small.
        or (s.last_analyze is null and s.last_autoanalyze is null and pg_relation_size(c.oid) > ${notSmall}))
    order by c.relname`);
  if (dryRun) return behind.length;
  let analyzed = 0;
  for (const { name } of behind) {
    if (signal.aborted) break;
    if (await analyze(db, analyzing[name] as Sql)) analyzed++;
  }
  return analyzed;
}

/** False if someone else has the table just now: autovacuum, most likely. */
async function analyze(db: Database, statement: Sql): Promise<boolean> {
  try {
    await db.transaction(async (tx) => {
      await tx.query(sql`set local lock_timeout = '1s'`);
      await tx.query(statement);
    });
    return true;
  } catch (error) {
    if (sqlState(error) === lockNotAvailable) return false;
    throw error;
  }
}
