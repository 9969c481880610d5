/** A migrated database in PGlite, which has pgvector. It has a single session: transactions follow one another. */
import { readdir, readFile } from "node:fs/promises";
import { PGlite } from "@electric-sql/pglite";
import { createPgConfig } from "@electric-sql/pglite/node-postgres";
import { vector } from "@electric-sql/pglite-pgvector";
import pg from "pg";
import type { Database } from "../../src/db/database.ts";
import type { Sql } from "../../src/db/sql.ts";

const migrations = new URL("../../migrations/", import.meta.url);
const int8 = 20;

export async function openPgliteDatabase(): Promise<{ db: Database; drop(): Promise<void> }> {
  const pglite = await PGlite.create({ extensions: { vector } });
  for (const file of (await readdir(migrations)).sort()) {
    await pglite.exec(await readFile(new URL(file, migrations), "utf8"));
  }
  const pool = new pg.Pool({ ...createPgConfig(pglite), max: 1, types: { getTypeParser } } as pg.PoolConfig);
  const db: Database = {
    query: (statement) => runStatement(pool, statement),
    async transaction(work) {
      const client = await pool.connect();
      try {
        await client.query("begin");
        const result = await work({ query: (statement) => runStatement(client, statement) });
        await client.query("commit");
        return result;
      } catch (error) {
        await client.query("rollback");
        throw error;
      } finally {
        client.release();
      }
    },
    usage: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    close: () => pool.end(),
  };
  return {
    db,
    async drop() {
      await db.close();
      await pglite.close();
    },
  };
}

async function runStatement<Row extends object>(target: pg.Pool | pg.PoolClient, statement: Sql): Promise<Row[]> {
  const { rows } = await target.query<Record<string, unknown>>(statement.compile());
  return rows.map(
    (row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [toCamelCase(name), value])) as Row,
  );
}

function toCamelCase(name: string): string {
  return name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

function getTypeParser(oid: number, format?: unknown) {
  return oid === int8 ? Number : pg.types.getTypeParser(oid, format as "text");
}
