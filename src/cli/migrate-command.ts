/** `docmill migrate`: brings the schema up to date without starting anything else. `serve` and `worker` do so as well. */
import { Command } from "commander";
import { findEmbeddedPostgres, startEmbeddedPostgres } from "../db/embedded/start-embedded-postgres.ts";
import { migrate } from "../db/migrate.ts";
import { reachDatabase } from "../reach-database.ts";
import { type Launch, prepareLaunch } from "./launch.ts";

export function migrateCommand(): Command {
  return new Command("migrate")
    .description("Bring the database's schema up to date. serve and worker do it too; this is for doing it beforehand.")
    .option("--data-dir <folder>", "folder of the embedded database, without DATABASE_URL (default: ./data)")
    .addHelpText(
      "after",
      `
Examples:
  $ docmill migrate
  $ DATABASE_URL=postgres://docmill:secret@db/docmill docmill migrate`,
    )
    .action(async (flags: Record<string, unknown>) => {
      const { settings, logger } = await prepareLaunch(flags);
      const { applied } = await withDatabase(settings, logger, (url) => migrate({ url, logger }));
      process.stdout.write(applied.length === 0 ? "The schema is current.\n" : `Applied: ${applied.join(", ")}.\n`);
    });
}

/** Runs `work` on the database of DATABASE_URL, or on the embedded one, which is started for it unless it runs. */
async function withDatabase<T>(
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
