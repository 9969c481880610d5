/** A database with a large library in it, filled once a run and copied for whoever needs it. */
import { openDatabase } from "../../src/db/database.ts";
import { migrate } from "../../src/db/migrate.ts";
import { silentLogger as logger } from "../../test/support/silent-logger.ts";
import type { Bench } from "../harness/bench.ts";
import { type BenchDatabase, withClient } from "../harness/server.ts";
import { fillLibrary } from "./fill-library.ts";
import { makeUpPassages } from "./made-up-passages.ts";

const ownChunks = 500;

export interface FilledDatabase {
  database: BenchDatabase;
  chunks: number;
  ownChunks: number;
  hasPgvector: boolean;
}

export async function createFilled(bench: Bench): Promise<FilledDatabase> {
  const chunks = bench.options.quick ? 20_000 : 100_000;
  const database = await bench.server.createDatabase("documents", async (url) => {
    bench.say(`  filling a library with ${chunks} chunks`);
    await migrate({ url, logger });
    const db = openDatabase({ url, logger });
    await fillLibrary(db, makeUpPassages(), { chunks, ownChunks });
    await db.close();
  });
  return { database, chunks, ownChunks, hasPgvector: (await findPgvector(bench)) !== undefined };
}

/** The version of pgvector that the server has; undefined without. */
export function findPgvector({ server }: Bench): Promise<string | undefined> {
  return withClient(server.url, async (client) => {
    const { rows } = await client.query<{ version: string }>(
      "select default_version as version from pg_available_extensions where name = 'vector'",
    );
    return rows[0]?.version;
  });
}
