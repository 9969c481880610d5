/**
 * What was written from a transaction on. Transactions below `settledBefore` are over, so that whoever has seen
 * everything up to it need only look from there the next time; what a later one wrote may turn up late.
 */
import type { Queryable } from "../../db/database.ts";
import { sql } from "../../db/sql.ts";

interface WrittenVector {
  chunkId: string;
  writtenBy: string;
}

export interface Written {
  settledBefore: string;
  /** The first transaction that has not begun; nothing of this server's can have been written by it. */
  firstUnused: string;
  vectors: WrittenVector[];
}

export async function listWritten(db: Queryable, modelId: number, from: string): Promise<Written> {
  const rows = await db.query<Row>(sql`
    select pg_snapshot_xmin(s.now) as settled_before, pg_snapshot_xmax(s.now) as first_unused,
           v.chunk_id, v.written_by
    from (select pg_current_snapshot() as now) s
    left join chunk_vectors v on v.model_id = ${modelId} and v.written_by >= ${from}::xid8`);
  const { settledBefore, firstUnused } = rows[0] as Row;
  const vectors = rows.filter((row): row is Row & WrittenVector => row.chunkId !== null);
  return { settledBefore, firstUnused, vectors };
}

type Row = Omit<Written, "vectors"> & (WrittenVector | { chunkId: null; writtenBy: null });

/** The first transaction that may not be over yet. */
export async function readSettled(db: Queryable): Promise<string> {
  const [row] = await db.query<{ settledBefore: string }>(sql`
    select pg_snapshot_xmin(pg_current_snapshot()) as settled_before`);
  return (row as { settledBefore: string }).settledBefore;
}

/**
 * Vectors that came with a dump bear the numbers of another server's transactions. Those that lie in the future here
 * would be listed again with every search until this server's count has reached them.
 */
export async function adoptForeign(db: Queryable, modelId: number): Promise<void> {
  await db.query(sql`
    update chunk_vectors set written_by = pg_current_xact_id()
    where model_id = ${modelId} and written_by >= pg_snapshot_xmax(pg_current_snapshot())`);
}
