/**
 * Restores a backup into a database and a storage that hold nothing yet. Files are put back first, the tables then in one
 * transaction: until its commit the database is empty, and a restore that was interrupted is simply done again.
 */
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import pg from "pg";
import { copyIn } from "../db/copy.ts";
import { migrate, readShippedSchema } from "../db/migrate.ts";
import { sql } from "../db/sql.ts";
import { DocmillError } from "../errors.ts";
import type { Logger } from "../logger.ts";
import type { BlobStore } from "../storage/blob-store.ts";
import { eachAtOnce } from "../storage/each-at-once.ts";
import { openFolderStore } from "../storage/open-folder-store.ts";
import { readChecked } from "./checked-files.ts";
import { putBack } from "./copy-files.ts";
import { listTables } from "./list-tables.ts";
import { backupPlaces, type FileEntry, fileEntrySchema, type Manifest } from "./manifest.ts";
import { copyTarget, inTransaction, type OpenTransaction } from "./snapshot.ts";

export interface RestoreOptions {
  manifest: Manifest;
  folder: string;
  url: string;
  blobs: BlobStore;
  logger: Logger;
}

const filesAtOnce = 8;
const portion = 1_000;

/** Refuses what this program would have to translate. Needs no database, so it comes before one is made. */
export async function checkSchemaOf(manifest: Manifest): Promise<void> {
  const shipped = await readShippedSchema();
  const same =
    shipped.length === manifest.schema.length &&
    shipped.every(({ checksum }, index) => checksum === manifest.schema[index]?.checksum);
  if (same) return;
  throw new DocmillError(
    "BACKUP_OF_OTHER_SCHEMA",
    `The backup was made by Docmill ${manifest.docmill} with the schema ${manifest.schema.at(-1)?.name}; this version has ${shipped.at(-1)?.name}. Restore it with that version, then start this one on the result.`,
  );
}

export async function restoreBackup({ manifest, folder, url, blobs, logger }: RestoreOptions): Promise<void> {
  await checkSchemaOf(manifest);
  await migrate({ url, logger });
  // Looked at twice: here so that nothing is copied in vain, and again under the lock that counts.
  await inTransaction(url, "read write", (tx) => refuseFilled(tx, manifest));
  if (manifest.files) await restoreFiles(folder, manifest.files, blobs);
  await inTransaction(url, "read write", async (tx) => {
    const names = manifest.tables.map(({ name }) => pg.escapeIdentifier(name));
    await refuseUnknown(tx, manifest);
    await tx.client.query(`lock table ${names.join(", ")} in access exclusive mode`);
    await refuseFilled(tx, manifest);
    for (const table of manifest.tables) {
      await copyIn(tx.client, `copy ${copyTarget(table)} from stdin`, readChecked(folder, table));
      await advanceCounters(tx, table.name);
    }
  });
}

async function restoreFiles(folder: string, list: { file: string; sha256: string }, blobs: BlobStore): Promise<void> {
  const store = await openFolderStore({ folder: join(folder, backupPlaces.files) });
  let waiting: FileEntry[] = [];
  const restoreWaiting = async () => {
    await eachAtOnce(waiting, filesAtOnce, (entry) => putBack(store, blobs, entry));
    waiting = [];
  };
  for await (const line of createInterface({ input: Readable.from(readChecked(folder, list)) })) {
    waiting.push(fileEntrySchema.parse(JSON.parse(line)));
    if (waiting.length === portion) await restoreWaiting();
  }
  await restoreWaiting();
}

/** Tables of the user's own pipelines come with no migration. */
async function refuseUnknown(tx: OpenTransaction, { tables }: Manifest): Promise<void> {
  const there = new Map((await listTables(tx)).map(({ name, columns }) => [name, new Set(columns)]));
  const unknown = tables.filter(({ name, columns }) => !columns.every((column) => there.get(name)?.has(column)));
  if (unknown.length === 0) return;
  throw new DocmillError(
    "RESTORE_TABLES_MISSING",
    `The backup has tables that no migration makes: ${unknown.map(({ name }) => name).join(", ")}. Create them in the new database with the same columns, then restore again.`,
  );
}

async function refuseFilled(tx: OpenTransaction, manifest: Manifest): Promise<void> {
  await refuseUnknown(tx, manifest);
  for (const { name } of manifest.tables) {
    const { rows } = await tx.client.query(`select 1 from ${pg.escapeIdentifier(name)} limit 1`);
    if (rows.length === 0) continue;
    throw new DocmillError(
      "RESTORE_TARGET_NOT_EMPTY",
      `The database is not empty (there are rows in ${name}). Restore into a new database, or with --data-dir into a new folder, on which nothing was started yet.`,
    );
  }
}

/** Counters of columns that number themselves go on behind what was restored. */
async function advanceCounters(tx: OpenTransaction, table: string): Promise<void> {
  const columns = await tx.query<{ column: string; counter: string }>(sql`
    select a.attname as column, pg_get_serial_sequence(${pg.escapeIdentifier(table)}, a.attname) as counter
    from pg_attribute a
    where a.attrelid = to_regclass(${pg.escapeIdentifier(table)}) and a.attnum > 0 and not a.attisdropped
      and pg_get_serial_sequence(${pg.escapeIdentifier(table)}, a.attname) is not null`);
  for (const { column, counter } of columns) {
    const last = `select max(${pg.escapeIdentifier(column)}) as last from ${pg.escapeIdentifier(table)}`;
    await tx.client.query(`select setval($1::regclass, last) from (${last}) m where last is not null`, [counter]);
  }
}
