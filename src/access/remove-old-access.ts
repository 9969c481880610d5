/** Removes sessions that have ended and audit entries that are old, a portion at a time. */
import { databaseClock } from "../db/clock.ts";
import type { Database } from "../db/database.ts";
import { inPortions } from "../db/in-portions.ts";
import { sql } from "../db/sql.ts";

export interface RemovalTerms {
  signal: AbortSignal;
  /** Changes nothing, and counts. */
  dryRun?: boolean;
}

const portion = 500;

/** Answers how many were removed. */
export async function removeEndedSessions(db: Database, { signal, dryRun }: RemovalTerms): Promise<number> {
  if (dryRun) {
    const [row] = await db.query<{ rows: number }>(
      sql`select count(*) as rows from sessions where expires_at <= now()`,
    );
    return row?.rows ?? 0;
  }
  return inPortions({ clock: databaseClock, signal }, async () => {
    const gone = await db.query(sql`
      delete from sessions where token_hash in (
        select token_hash from sessions where expires_at <= now() order by expires_at limit ${portion}
        for update skip locked)
      returning 1 as gone`);
    return { done: gone.length, more: gone.length === portion };
  });
}

/** Entries are numbered in the order of their time, so the oldest are found without an index of times. */
export async function removeOldAuditEntries(
  db: Database,
  { keepMs, signal, dryRun }: RemovalTerms & { keepMs: number },
): Promise<number> {
  let after = 0;
  return inPortions({ clock: databaseClock, signal }, async () => {
    const old = await db.query<{ id: number; isDue: boolean }>(sql`
      select id, at < now() - ${keepMs} * interval '1 ms' as is_due from audit_log
      where id > ${after} order by id limit ${portion}`);
    const due = old.filter(({ isDue }) => isDue).map(({ id }) => id);
    if (!dryRun) await db.query(sql`delete from audit_log where id = any (${due}::bigint[])`);
    after = old.at(-1)?.id ?? after;
    // The first portion with a young entry is the last: behind it all are younger.
    return { done: due.length, more: due.length === portion };
  });
}
