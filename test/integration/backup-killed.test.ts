/** What a kill -9 leaves of a backup or a restore: nothing that could be mistaken for a whole one. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { sql } from "../../src/db/sql.ts";
import { startS3 } from "../support/blob-servers.ts";
import { type CallMeter, startCallMeter } from "../support/call-meter.ts";
import { type Ended, runDocmill, spawnDocmill } from "../support/docmill-process.ts";
import { type DocumentPlace, endProcess, openDocumentPlace } from "../support/document-place.ts";
import { makeTemporaryFolder, removeTemporaryFolder } from "../support/temporary-folder.ts";
import { createTestDatabase } from "../support/test-database.ts";
import { makeTopicBook } from "../support/topic-texts.ts";
import { until } from "../support/until.ts";

const closing = new AsyncDisposableStack();
let folder: string;
let meter: CallMeter;
let place: DocumentPlace;
/** A backup of a place with one document, and what was said while it was taken. */
let whole: string;
let taken: Ended;

beforeAll(async () => {
  folder = closing.adopt(await makeTemporaryFolder(), removeTemporaryFolder);
  const s3 = closing.adopt(await startS3(join(folder, "s3")), (server) => server.close());
  meter = closing.adopt(await startCallMeter(s3.endpoint), (started) => started.close());
  const settings = {
    DOCMILL_STORAGE: "s3",
    DOCMILL_S3_ENDPOINT: meter.url,
    DOCMILL_S3_BUCKET: s3.bucket,
    DOCMILL_S3_ACCESS_KEY_ID: s3.accessKeyId,
    DOCMILL_S3_SECRET_ACCESS_KEY: s3.secretAccessKey,
    DOCMILL_LOG_LEVEL: "warn",
  };
  place = closing.use(await openDocumentPlace({ settings }));
  await place.startWorker();
  const { id } = await place.upload(makeTopicBook("kept", ["kept"]));
  await place.reaches(id, ({ status }) => status === "Ready");
  whole = join(folder, "whole");
  taken = await runDocmill(["backup", whole], { env: place.environment });
});
afterAll(() => closing.disposeAsync());

describe("kill -9", () => {
  it("during a backup leaves a folder that is no backup", async () => {
    const env = place.environment;
    const broken = join(folder, "broken");
    meter.hold();
    const backup = spawnDocmill(["backup", broken], { env });
    await until(() => meter.underWay > 0);
    await endProcess(backup);
    meter.release();
    const target = { DOCMILL_DATA_DIR: join(folder, "of-broken") };
    expect(await runDocmill(["restore", broken], { env: target })).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/no backup, or one that was never finished.*\(NOT_A_BACKUP\)/),
    });
    expect(await readdir(folder)).not.toContain("of-broken");
    expect(await runDocmill(["backup", broken], { env })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("BACKUP_FOLDER_NOT_EMPTY"),
    });
    // One that is left alone comes to its end, without a word of files that it looked for in vain.
    expect(taken).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Backed up \d+ rows of \d+ tables and 3 files/),
      stderr: "",
    });
  });

  it("during a restore leaves an empty database, into which it can be done again", async () => {
    const { db, url, drop } = await createTestDatabase();
    onTestFinished(drop);
    const env = { DATABASE_URL: url, DOCMILL_DATA_DIR: join(folder, "restored") };
    // The documents come after many other tables; their first row is made to wait.
    await db.query(sql`create function hold() returns trigger language plpgsql as $$ begin
      perform pg_advisory_xact_lock(1); return new; end $$`);
    await db.query(sql`create trigger hold before insert on documents for each row execute function hold()`);
    await db.transaction(async (tx) => {
      await tx.query(sql`select pg_advisory_xact_lock(1)`);
      const restoring = spawnDocmill(["restore", whole], { env });
      await until(async () => {
        const [waiting] = await db.query(sql`
          select from pg_locks l join pg_database d on d.oid = l.database
          where d.datname = current_database() and locktype = 'advisory' and not granted`);
        return waiting;
      });
      await endProcess(restoring);
    });
    // The server learns of it when it next writes to the connection.
    await until(async () => {
      const others = await db.query(sql`
        select from pg_stat_activity where datname = current_database() and application_name = 'docmill backup'`);
      return others.length === 0;
    });
    expect(await db.query(sql`select from jobs union all select from documents union all select from events`)).toEqual(
      [],
    );
    await db.query(sql`drop trigger hold on documents`);

    expect(await runDocmill(["restore", whole], { env })).toMatchObject({ code: 0 });
    expect(await db.query(sql`select count(*)::integer as count from documents`)).toEqual([{ count: 1 }]);
    expect(await runDocmill(["restore", whole], { env })).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/database is not empty.*\(RESTORE_TARGET_NOT_EMPTY\)/),
    });
  });
});
