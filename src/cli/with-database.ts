/** The database a command works on without a server: that of DATABASE_URL, or the embedded one of the data folder. */
import { stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { findEmbeddedPostgres, startEmbeddedPostgres } from "../db/embedded/start-embedded-postgres.ts";
import { DocmillError } from "../errors.ts";
import { reachDatabase } from "../reach-database.ts";
import type { Launch } from "./launch.ts";

/** For a command that has nothing to do on an empty one: without this a mistyped folder would get a new database. */
export async function requireDatabase({ databaseUrl, dataDir }: Launch["settings"]): Promise<void> {
  if (databaseUrl !== undefined) return;
  const made = await stat(join(dataDir, "postgres", "cluster")).catch(() => undefined);
  if (made) return;
  throw new DocmillError(
    "DATABASE_MISSING",
    `There is no database in ${resolve(dataDir)}. Name its folder with --data-dir, or set DATABASE_URL.`,
  );
}

/** Runs `work` on the database of DATABASE_URL, or on the embedded one, which is started for it unless it runs. */
export async function withDatabase<T>(
  { databaseUrl, directUrl, dataDir, dbWaitMs }: Launch["settings"],
  logger: Launch["logger"],
  work: (url: string) => Promise<T>,
): Promise<T> {
  if (databaseUrl !== undefined) {
    const url = directUrl ?? databaseUrl;
    await reachDatabase({ url, waitMs: dbWaitMs, logger });
    return work(url);
  }
  const running = await findEmbeddedPostgres(dataDir);
  if (running !== undefined) return work(running);
  const postgres = await startEmbeddedPostgres({ dataDir, logger });
  try {
    return await work(postgres.url);
  } finally {
    await postgres.stop();
  }
}
