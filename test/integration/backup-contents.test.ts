/**
 * What a backup holds and what a restore accepts: every value as it was, in any storage and on any supported PostgreSQL;
 * nothing at all where a file is damaged, the schema is another's or the database is not empty.
 */
import { randomUUID } from "node:crypto";
import { appendFile, mkdir, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createBackup } from "../../src/backup/create-backup.ts";
import { listTables } from "../../src/backup/list-tables.ts";
import { type Manifest, readManifest } from "../../src/backup/manifest.ts";
import { restoreBackup } from "../../src/backup/restore-backup.ts";
import type { Database } from "../../src/db/database.ts";
import { Sql, sql } from "../../src/db/sql.ts";
import type { BlobStore } from "../../src/storage/blob-store.ts";
import { openStorePlace, type StorePlace } from "../support/blob-stores.ts";
import { silentLogger } from "../support/silent-logger.ts";
import { makeTemporaryFolder, removeTemporaryFolder } from "../support/temporary-folder.ts";
import { inChunks } from "../support/test-bytes.ts";
import { createTestDatabase, describeOnEachServer, type TestDatabase } from "../support/test-database.ts";

const awkward = ["", "\\N", "\\.", "a\tb\nc\rd", "back\\slash", "'quoted' \"twice\"", "ünïcödé 🐳", "{1,2}", "null"];
const documentId = "00000000-0000-4000-8000-000000000001";
const blobKey = `documents/${documentId}/original-1`;

let folder: string;
let source: TestDatabase;
let s3: StorePlace;
let azure: StorePlace;

beforeAll(async () => {
  folder = await makeTemporaryFolder();
  source = await createTestDatabase();
  [s3, azure] = await Promise.all([openStorePlace("s3"), openStorePlace("azure")]);
  await fill(source.db);
  await s3.store.put(blobKey, inChunks(Buffer.from("the file")));
  await s3.store.put("documents/of-nobody", inChunks(Buffer.from("an upload that is still on its way")));
});

afterAll(async () => {
  await Promise.all([s3.close(), azure.close(), source.drop()]);
  await removeTemporaryFolder(folder);
});

async function fill(db: Database): Promise<void> {
  const jobId = randomUUID();
  await db.query(sql`
    insert into documents (id, filename, title, job_id, blob_key, outline) values
      (${documentId}, ${awkward.join("|")}, null, ${jobId}, ${blobKey}, '[{"level": 1, "title": "a\\nb"}]')`);
  // JSON's null and no value are two things, and a job that goes on tells them apart.
  await db.query(sql`
    insert into job_stages (job_id, name, lease, output, started_at, finished_at) values
      (${jobId}, 'json null', 1, 'null', now(), 'infinity'), (${jobId}, 'none', 1, null, '1999-12-31 23:59:59.123456+05', now())`);
  for (const word of awkward) {
    await db.query(sql`
      insert into idempotency_keys (key, request_hash) values (${`key ${word}`}, ${word})`);
    await db.query(
      sql`insert into audit_log (action, details) values (${word}, jsonb_build_object(${word}::text, ${word}::text))`,
    );
  }
  await db.query(sql`insert into embedding_models (name, dimensions) values ('first', 8), ('second', 8)`);
  const chunkId = randomUUID();
  await db.query(sql`
    insert into chunks (id, document_id, index, content, content_hash, heading_path, start_offset, end_offset, tokens, search)
    values (${chunkId}, ${documentId}, 0, ${awkward.join("\n")}, 'h', ${awkward}, 0, 1, 1, to_tsvector('it''s a whale'))`);
  await db.query(sql`
    insert into chunk_vectors (model_id, chunk_id, document_id, vector) values (2, ${chunkId}, ${documentId}, '\\x00ff0a5c')`);
}

/** Every row of every table as PostgreSQL writes it, without what a backup leaves out. */
async function readEverything(db: Database): Promise<Record<string, unknown[]>> {
  const everything: Record<string, unknown[]> = {};
  for (const { name, columns } of await listTables(db)) {
    const row = columns.map((column) => pg.escapeIdentifier(column)).join(", ");
    const rows = await db.query<{ row: string }>(new Sql([`select (${row})::text as row from ${name} order by 1`], []));
    everything[name] = rows.map((found) => found.row);
  }
  return everything;
}

async function makeBackup(
  name: string,
  blobs: BlobStore | null = s3.store,
): Promise<{ place: string; manifest: Manifest }> {
  const place = join(folder, name);
  const { manifest } = await createBackup({ url: source.url, blobs, folder: place });
  return { place, manifest };
}

describeOnEachServer("a backup that is restored", (server) => {
  it("has every value as it was, from one kind of storage into another", async () => {
    const { place } = await makeBackup(`whole-${server}`);
    const target = await createTestDatabase({ server, empty: true });
    const manifest = await readManifest(place);
    await restoreBackup({ manifest, folder: place, url: target.url, blobs: azure.store, logger: silentLogger });
    expect(await readEverything(target.db)).toEqual(await readEverything(source.db));
    expect(await text(await azure.store.get(blobKey))).toBe("the file");
    expect(await text(await azure.store.get("documents/of-nobody"))).toMatch(/^an upload/);

    // Counters go on behind what came, and vectors count as written here.
    expect(
      await target.db.query(sql`insert into embedding_models (name, dimensions) values ('third', 8) returning id`),
    ).toEqual([{ id: 3 }]);
    expect(await target.db.query(sql`insert into audit_log (action) values ('next') returning id`)).toEqual([
      { id: awkward.length + 1 },
    ]);
    expect(
      await target.db.query(sql`select from chunk_vectors where written_by >= pg_snapshot_xmax(pg_current_snapshot())`),
    ).toEqual([]);
    await target.drop();
  });
});

describe("what is refused", () => {
  let target: TestDatabase;
  beforeAll(async () => {
    target = await createTestDatabase();
  });
  afterAll(() => target.drop());

  const restore = async (place: string, manifest?: Manifest) =>
    restoreBackup({
      manifest: manifest ?? (await readManifest(place)),
      folder: place,
      url: target.url,
      blobs: azure.store,
      logger: silentLogger,
    });
  const expectNothing = async () => {
    for (const rows of Object.values(await readEverything(target.db))) expect(rows).toEqual([]);
  };

  it("a table that was changed on the disk, be it the last one", async () => {
    const { place, manifest } = await makeBackup("changed");
    const { file } = manifest.tables.findLast(({ rows }) => rows > 0) as Manifest["tables"][number];
    const bytes = await readFile(join(place, file));
    // The time in the header: the content is the same, and still it is not what was written.
    bytes[5] = (bytes[5] as number) ^ 1;
    await writeFile(join(place, file), bytes);
    await expect(restore(place)).rejects.toMatchObject({ code: "BACKUP_DAMAGED" });
    await truncate(join(place, file), bytes.length - 4);
    await expect(restore(place)).rejects.toMatchObject({ code: "BACKUP_DAMAGED" });
    await rm(join(place, file));
    await expect(restore(place)).rejects.toMatchObject({ code: "BACKUP_DAMAGED" });
    await expectNothing();
  });

  it("a file that was changed, or is gone", async () => {
    const { place } = await makeBackup("changed-file");
    await azure.store.delete([blobKey]);
    await appendFile(join(place, "files", blobKey), "!");
    await expect(restore(place)).rejects.toMatchObject({ code: "BACKUP_DAMAGED" });
    expect(await azure.store.stat(blobKey)).toBeUndefined();
    await rm(join(place, "files", blobKey));
    await expect(restore(place)).rejects.toMatchObject({ code: "BACKUP_DAMAGED" });
    await expectNothing();
  });

  it("a backup of another schema, a folder that is none, and one that is not empty", async () => {
    const { place, manifest } = await makeBackup("other");
    const older = { ...manifest, docmill: "0.0.9", schema: manifest.schema.slice(0, -1) };
    await expect(restore(place, older)).rejects.toThrow(/made by Docmill 0\.0\.9 .* Restore it with that version/);
    await expect(readManifest(folder)).rejects.toMatchObject({ code: "NOT_A_BACKUP" });
    await expect(createBackup({ url: source.url, blobs: null, folder: place })).rejects.toMatchObject({
      code: "BACKUP_FOLDER_NOT_EMPTY",
    });
    const inside = await openStorePlace("folder");
    await expect(
      createBackup({ url: source.url, blobs: inside.store, folder: join(inside.store.place, "backup") }),
    ).rejects.toMatchObject({ code: "BACKUP_INSIDE_STORAGE" });
    await inside.close();
    await expectNothing();
  });

  it("a database with rows of anyone's in it", async () => {
    const { place } = await makeBackup("second");
    const before = await readEverything(source.db);
    await expect(
      restoreBackup({
        manifest: await readManifest(place),
        folder: place,
        url: source.url,
        blobs: azure.store,
        logger: silentLogger,
      }),
    ).rejects.toMatchObject({ code: "RESTORE_TARGET_NOT_EMPTY" });
    expect(await readEverything(source.db)).toEqual(before);
  });

  it("tables of one's own, until they are there", async () => {
    await source.db.query(
      sql`create table my_notes (id integer primary key, note text, document_id uuid references documents (id))`,
    );
    await source.db.query(sql`insert into my_notes values (1, 'mine', ${documentId})`);
    const { place } = await makeBackup("own-tables", null);
    await expect(restore(place)).rejects.toThrow(/my_notes.*Create them/);
    await expectNothing();
    await target.db.query(
      sql`create table my_notes (id integer primary key, note text, document_id uuid references documents (id))`,
    );
    await restore(place);
    expect(await target.db.query(sql`select note from my_notes`)).toEqual([{ note: "mine" }]);
    await source.db.query(sql`drop table my_notes`);
  });
});

describe("files that come and go while a backup is made", () => {
  it("a file that vanishes after the snapshot has another one taken; one that was never there does not", async () => {
    const { url, db, drop } = await createTestDatabase();
    const place = await openStorePlace("folder");
    const insert = (id: string, key: string) =>
      db.query(sql`insert into documents (id, filename, job_id, blob_key) values (${id}, 'f', ${id}, ${key})`);
    const [lost, deleted] = [randomUUID(), randomUUID()];
    await insert(lost, `documents/${lost}/lost`);
    let looks = 0;
    // Between the first look at storage and the second a document comes, is in the snapshot, and is deleted.
    const blobs: BlobStore = {
      ...place.store,
      async *list(prefix) {
        looks++;
        yield* place.store.list(prefix);
        if (looks === 1) await insert(deleted, `documents/${deleted}/gone`);
        if (looks === 2) await db.query(sql`delete from documents where id = ${deleted}`);
      },
    };
    await mkdir(join(folder, "moving"));
    const { manifest, missing } = await createBackup({ url, blobs, folder: join(folder, "moving") });
    expect(looks).toBe(3);
    expect(missing).toEqual([`documents/${lost}/lost`]);
    expect(manifest.tables.find(({ name }) => name === "documents")?.rows).toBe(1);
    await place.close();
    await drop();
  });
});
