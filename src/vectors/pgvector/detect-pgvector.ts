/** Whether the database can search vectors itself: pgvector is installed, or we may install it. */
import { type Database, sqlState } from "../../db/database.ts";
import { sql } from "../../db/sql.ts";
import type { Logger } from "../../logger.ts";

export interface Pgvector {
  /** 0.8 goes on looking until a filter has let enough through. */
  iterativeScan: boolean;
  /** 0.7 has numbers of 16 bits, which indexes of more than 2,000 dimensions need. */
  halfVectors: boolean;
}

export async function detectPgvector(db: Database, logger: Logger): Promise<Pgvector | undefined> {
  const found = await readVersion(db);
  if (!found) return undefined;
  if (!found.installed) {
    try {
      await db.query(sql`create extension if not exists vector`);
    } catch (error) {
      // Two that install it at once collide in the catalogue; it is then there for both.
      if (sqlState(error) === undefined) throw error;
      logger.info({ err: error }, "pgvector is available and could not be installed");
    }
  }
  const version = (await readVersion(db))?.installed;
  if (!version || !(await canUse(db))) return undefined;
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const atLeast = (wanted: number) => major > 0 || minor >= wanted;
  // HNSW came with 0.5.
  return atLeast(5) ? { iterativeScan: atLeast(8), halfVectors: atLeast(7) } : undefined;
}

async function readVersion(db: Database): Promise<{ installed: string | null } | undefined> {
  const [row] = await db.query<{ installed: string | null }>(sql`
    select installed_version as installed from pg_available_extensions where name = 'vector'`);
  return row;
}

/** Installed into a schema that is not on the search path, it is as good as missing. */
async function canUse(db: Database): Promise<boolean> {
  const [row] = await db.query<{ known: boolean }>(sql`select to_regtype('vector') is not null as known`);
  return row?.known === true;
}
