/** `docmill backup` and `docmill restore`: the database and its files into a folder, while all runs, and back. */

import { resolve } from "node:path";
import { Command } from "commander";
import { createBackup } from "../backup/create-backup.ts";
import { type Manifest, readManifest } from "../backup/manifest.ts";
import { checkSchemaOf, restoreBackup } from "../backup/restore-backup.ts";
import { openStorage } from "../open-documents.ts";
import { prepareLaunch } from "./launch.ts";
import { requireDatabase, withDatabase } from "./with-database.ts";

export function backupCommand(): Command {
  return new Command("backup")
    .description("Write the database and its files into a new folder. Servers and workers may go on meanwhile.")
    .argument("<folder>", "folder for the backup; must be empty, or not there yet")
    .option("--data-dir <folder>", "folder of the embedded database and files (default: ./data)")
    .option(
      "--database-only",
      "leave the files out: for a bucket that keeps what is deleted or has a backup of its own",
    )
    .addHelpText(
      "after",
      `
Examples:
  $ docmill backup /backups/docmill-monday
  $ DATABASE_URL=postgres://docmill:secret@db/docmill docmill backup --database-only /backups/docmill-monday

The folder holds everything people have brought in, readable by whoever can read the folder. docs/backup.md says more.`,
    )
    .action(async (place: string, { databaseOnly = false, ...flags }: Record<string, unknown>) => {
      const { settings, logger } = await prepareLaunch(flags);
      const folder = resolve(place);
      await requireDatabase(settings);
      const { manifest, missing } = await withDatabase(settings, logger, async (url) => {
        if (databaseOnly) return createBackup({ url, blobs: null, folder });
        await using storage = new AsyncDisposableStack();
        const blobs = storage.adopt(await openStorage(settings), (store) => store.close());
        return createBackup({ url, blobs, folder });
      });
      if (missing.length > 0) {
        logger.warn({ count: missing.length, keys: missing.slice(0, 20) }, "files that rows name are not in storage");
      }
      process.stdout.write(`Backed up ${describe(manifest)} to ${folder}.\n`);
    });
}

export function restoreCommand(): Command {
  return new Command("restore")
    .description("Bring a backup back, into a new database and storage. All of it or nothing.")
    .argument("<folder>", "folder that docmill backup has written")
    .option("--data-dir <folder>", "new folder for the embedded database and files (default: ./data)")
    .addHelpText(
      "after",
      `
Examples:
  $ docmill restore /backups/docmill-monday --data-dir /srv/docmill
  $ DATABASE_URL=postgres://docmill:secret@db/docmill_new docmill restore /backups/docmill-monday

Afterwards docmill serve goes on where the backup was made, with jobs that were waiting or running then. To only look
at it, start docmill serve --no-workers.`,
    )
    .action(async (place: string, flags: Record<string, unknown>) => {
      const { settings, logger } = await prepareLaunch(flags);
      const folder = resolve(place);
      const manifest = await readManifest(folder);
      await checkSchemaOf(manifest);
      await withDatabase(settings, logger, async (url) => {
        await using storage = new AsyncDisposableStack();
        const blobs = storage.adopt(await openStorage(settings), (store) => store.close());
        await restoreBackup({ manifest, folder, url, blobs, logger });
      });
      process.stdout.write(`Restored ${describe(manifest)}, as of ${manifest.takenAt}. Start docmill serve.\n`);
    });
}

function describe({ tables, files }: Manifest): string {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  const copied = files ? `${files.count} files (${(files.bytes / 2 ** 20).toFixed(1)} MB)` : "no files";
  return `${rows} rows of ${tables.length} tables and ${copied}`;
}
