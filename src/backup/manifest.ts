/**
 * What a backup says of itself, in `manifest.json`. It is written last and names every other file with its checksum: a
 * folder without it is no backup, and one whose files differ from it is damaged.
 */
import { open, readFile, rename } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { DocmillError } from "../errors.ts";

/** Within the folder: a backup that came from elsewhere names nothing outside. */
const checkedFile = z.object({ file: z.string().regex(/^(?:tables\/)?[^/\\.][^/\\]*$/), sha256: z.string() });

const manifestSchema = z.object({
  format: z.literal(1),
  /** The version of Docmill that made it. */
  docmill: z.string(),
  /** The database's clock when the state was taken that the backup holds. */
  takenAt: z.string(),
  schema: z.array(z.object({ version: z.number(), name: z.string(), checksum: z.string() })),
  /** In an order in which each table comes after those it refers to. */
  tables: z.array(checkedFile.extend({ name: z.string(), columns: z.array(z.string()), rows: z.number() })),
  /** Null where the backup is of the database only. */
  files: checkedFile.extend({ count: z.number(), bytes: z.number() }).nullable(),
});

export type Manifest = z.infer<typeof manifestSchema>;
export type TableEntry = Manifest["tables"][number];

/** One line of the list of files. */
export const fileEntrySchema = z.object({ key: z.string(), size: z.number(), sha256: z.string() });
export type FileEntry = z.infer<typeof fileEntrySchema>;

export const backupPlaces = { manifest: "manifest.json", list: "files.jsonl.gz", tables: "tables", files: "files" };

export async function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  const temporary = join(folder, `${backupPlaces.manifest}.part`);
  await using file = await open(temporary, "wx", 0o600);
  await file.writeFile(`${JSON.stringify(manifest, null, 2)}\n`);
  await file.sync();
  await rename(temporary, join(folder, backupPlaces.manifest));
}

export async function readManifest(folder: string): Promise<Manifest> {
  let text: string;
  try {
    text = await readFile(join(folder, backupPlaces.manifest), "utf8");
  } catch (error) {
    throw new DocmillError(
      "NOT_A_BACKUP",
      `${folder} has no ${backupPlaces.manifest}: it is no backup, or one that was never finished. Name a folder that docmill backup has finished.`,
      { cause: error },
    );
  }
  const read = manifestSchema.safeParse(parse(text));
  if (read.success) return read.data;
  throw new DocmillError(
    "BACKUP_UNREADABLE",
    `${folder}/${backupPlaces.manifest} cannot be read by this version of Docmill. Use the version that made it, or another backup.`,
    { cause: read.error },
  );
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
