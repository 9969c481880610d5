/** `docmill migrate`: brings the schema up to date without starting anything else. `serve` and `worker` do so as well. */
import { Command } from "commander";
import { migrate } from "../db/migrate.ts";
import { prepareLaunch } from "./launch.ts";
import { withDatabase } from "./with-database.ts";

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
