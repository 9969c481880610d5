/** A database with a large library in it, filled once a run and copied for whoever needs it. */
import type { Bench } from "../harness/bench.ts";
import { type BenchDatabase, withClient } from "../harness/server.ts";
import { fillLibrary } from "./fill-library.ts";

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
    await fillLibrary(url, { chunks, ownChunks });
  });
  const hasPgvector = await withClient(database.url, async (client) => {
    const { rowCount } = await client.query("select from pg_available_extensions where name = 'vector'");
    return rowCount === 1;
  });
  return { database, chunks, ownChunks, hasPgvector };
}
