/**
 * Writes a backup of a database and its files into an empty folder, while everything runs.
 *
 * The tables are read in one snapshot. Files are copied before it and, what is new, after it: whatever a row of the
 * snapshot names was in storage before the row was committed, so it is found after the snapshot unless it was deleted
 * meanwhile. Most were copied before it and cannot be missed; if one is, a newer snapshot is taken, in which the row that
 * named it is gone too.
 */
import { mkdir, readdir, rm } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import { copyOut } from "../db/copy.ts";
import { readSchemaState } from "../db/migrate.ts";
import { sql } from "../db/sql.ts";
import { DocmillError } from "../errors.ts";
import type { BlobStore } from "../storage/blob-store.ts";
import { openFolderStore } from "../storage/open-folder-store.ts";
import { version } from "../version.ts";
import { writeChecked } from "./checked-files.ts";
import { type CopiedFiles, copyNewFiles } from "./copy-files.ts";
import { listTables } from "./list-tables.ts";
import { backupPlaces, type Manifest, type TableEntry, writeManifest } from "./manifest.ts";
import { listReferencedFiles } from "./referenced-files.ts";
import { copyTarget, inTransaction, type OpenTransaction } from "./snapshot.ts";

export interface BackupOptions {
  /** Not a pooler's: the snapshot needs a connection for a long time. */
  url: string;
  /** Null for a backup of the database only. */
  blobs: BlobStore | null;
  folder: string;
}

export interface Backup {
  manifest: Manifest;
  /** Files that rows name and storage did not have, before as after: lost earlier, not by the backup. */
  missing: string[];
}

export async function createBackup({ url, blobs, folder }: BackupOptions): Promise<Backup> {
  const { applied: schema, pending } = await readSchemaState(url);
  if (pending.length > 0) {
    throw new DocmillError(
      "SCHEMA_NOT_CURRENT",
      `The database lacks ${pending.map(({ name }) => name).join(", ")}. Run docmill migrate, or make the backup with the version of Docmill that runs on it.`,
    );
  }
  await prepareFolder(folder, blobs);
  if (!blobs) {
    const { takenAt, tables } = await takeSnapshot(url, folder);
    return finish(folder, { schema, takenAt, tables, files: null }, []);
  }
  const copied: CopiedFiles = new Map();
  const store = await openFolderStore({ folder: join(folder, backupPlaces.files) });
  await copyNewFiles(blobs, store, copied);
  let missingBefore = new Set<string>();
  for (;;) {
    const { takenAt, tables, referenced } = await takeSnapshot(url, folder);
    await copyNewFiles(blobs, store, copied);
    const missing = new Set([...referenced].filter((key) => !copied.has(key)));
    // What two snapshots name and neither found was not there to be found.
    if ([...missing].every((key) => missingBefore.has(key))) {
      const files = await writeList(folder, copied);
      return finish(folder, { schema, takenAt, tables, files }, [...missing]);
    }
    missingBefore = missing;
    await rm(join(folder, backupPlaces.tables), { recursive: true });
  }
}

async function finish(
  folder: string,
  found: Pick<Manifest, "schema" | "takenAt" | "tables" | "files">,
  missing: string[],
): Promise<Backup> {
  const manifest: Manifest = { format: 1, docmill: version, ...found };
  await writeManifest(folder, manifest);
  return { manifest, missing };
}

async function prepareFolder(folder: string, blobs: BlobStore | null): Promise<void> {
  if (blobs && !relative(blobs.place, resolve(folder)).startsWith("..")) {
    throw new DocmillError(
      "BACKUP_INSIDE_STORAGE",
      `${folder} is where the files are kept. Choose a folder elsewhere.`,
    );
  }
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if ((await readdir(folder)).length > 0) {
    throw new DocmillError(
      "BACKUP_FOLDER_NOT_EMPTY",
      `${folder} is not empty. Name a new folder for each backup; remove this one if it is a backup that was interrupted.`,
    );
  }
}

async function takeSnapshot(url: string, folder: string) {
  await mkdir(join(folder, backupPlaces.tables), { mode: 0o700 });
  return inTransaction(url, "isolation level repeatable read, read only", async (tx) => {
    const [clock] = await tx.query<{ takenAt: Date }>(sql`select now() as taken_at`);
    const tables: TableEntry[] = [];
    for (const table of await listTables(tx)) tables.push(await dumpTable(tx, table, folder));
    const referenced = await listReferencedFiles(tx);
    return { takenAt: (clock as { takenAt: Date }).takenAt.toISOString(), tables, referenced };
  });
}

async function dumpTable(
  tx: OpenTransaction,
  table: Pick<TableEntry, "name" | "columns">,
  folder: string,
): Promise<TableEntry> {
  let rows = 0;
  async function* counted(source: AsyncIterable<Uint8Array>) {
    for await (const chunk of source) {
      // In COPY's text format a line is a row: line breaks in values are written as \n.
      for (const byte of chunk) if (byte === 0x0a) rows++;
      yield chunk;
    }
  }
  const content = counted(copyOut(tx.client, `copy ${copyTarget(table)} to stdout`));
  const written = await writeChecked(folder, `${backupPlaces.tables}/${table.name}.copy.gz`, content);
  return { ...table, rows, ...written };
}

async function writeList(folder: string, copied: CopiedFiles): Promise<Manifest["files"]> {
  let bytes = 0;
  async function* lines() {
    for (const { key, size, sha256 } of copied.values()) {
      bytes += size;
      yield Buffer.from(`${JSON.stringify({ key, size, sha256 })}\n`);
    }
  }
  const written = await writeChecked(folder, backupPlaces.list, lines());
  return { ...written, count: copied.size, bytes };
}
