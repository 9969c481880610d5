/**
 * A backup taken while work is running, brought back elsewhere, and the work going on there: documents, searches, running
 * jobs, event numbers, keys, idempotency keys and what was paid for. And what a kill -9 leaves of a backup or a restore.
 */
import { cp, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import type { DocumentSummary } from "../../src/contract/documents.ts";
import { findEmbeddedPostgres } from "../../src/db/embedded/start-embedded-postgres.ts";
import { sql } from "../../src/db/sql.ts";
import { type BackupWay, coldCopy, ownBackup, postgresTools } from "../support/backup-ways.ts";
import { startS3 } from "../support/blob-servers.ts";
import { startCallMeter } from "../support/call-meter.ts";
import { runDocmill, spawnDocmill, startServe } from "../support/docmill-process.ts";
import { endProcess, openDocumentClient, type SampleFile } from "../support/document-place.ts";
import { openStream } from "../support/event-reader.ts";
import { startFakeOpenAi } from "../support/fake-openai.ts";
import type { FakeService } from "../support/fake-service.ts";
import { createGatedJob, gatedConfig } from "../support/gated-job.ts";
import { makeTemporaryFolder, removeTemporaryFolder } from "../support/temporary-folder.ts";
import { createTestDatabase } from "../support/test-database.ts";
import { makeTopicBook, wordsOf } from "../support/topic-texts.ts";
import { until } from "../support/until.ts";

let folder: string;
/** Anew for every test: what was done after a backup is done, and paid for, once more. */
let openAi: FakeService;

beforeAll(async () => {
  folder = await makeTemporaryFolder();
});
afterAll(() => removeTemporaryFolder(folder));

beforeEach(async () => {
  openAi = await startFakeOpenAi();
});
afterEach(() => openAi.close());

async function upload(url: string, { name, bytes }: SampleFile, key = name): Promise<DocumentSummary> {
  const body = new FormData();
  body.append("file", new Blob([bytes as Uint8Array<ArrayBuffer>]), name);
  const { ask } = openDocumentClient(url);
  const answer = await ask("/api/documents", { method: "POST", body, headers: { "idempotency-key": key } });
  if (answer.status !== 200) throw new Error(`the upload was answered ${answer.status}`);
  return answer.body;
}

async function serve(env: Record<string, string>) {
  const settings = {
    DOCMILL_EMBEDDINGS: "openai",
    DOCMILL_EMBEDDINGS_URL: `${openAi.url}/v1`,
    DOCMILL_EMBEDDINGS_DIMENSIONS: "64",
    DOCMILL_CONCURRENCY: "2",
    DOCMILL_THREADS: "1",
    DOCMILL_LEASE_MS: "2000",
    DOCMILL_POLL_MS: "100",
    // The gated job never gets to its next checkpoint by itself.
    DOCMILL_SHUTDOWN_GRACE_MS: "100",
    ...env,
  };
  const { server, url } = await startServe(["--port", "0", "--config", gatedConfig], { env: settings });
  onTestFinished(() => endProcess(server));
  return { server, url, client: openDocumentClient(url), env: settings };
}

/** As much as is read again after the backup was brought back. */
const mostUploads = 8;

/** Uploads one small document after the other until it is told to stop; answers those that were taken. */
function keepUploading(url: string, name: string) {
  const taken: string[] = [];
  let stopped = false;
  const uploading = (async () => {
    for (let n = 1; !stopped && n <= mostUploads; n++)
      taken.push((await upload(url, makeTopicBook(`${name}-${n}`, [`${name} ${n}`]))).id);
  })();
  return {
    taken,
    async stop() {
      stopped = true;
      await uploading;
    },
  };
}

describe.each([ownBackup, postgresTools, coldCopy])("$name", (way: BackupWay) => {
  it.skipIf(!way.possible)(
    "brings everything back elsewhere, and the work goes on there",
    { timeout: 180_000 },
    async () => {
      const name = `way-${[ownBackup, postgresTools, coldCopy].indexOf(way)}`;
      const at = (what: string) => join(folder, `${name}-${what}`);
      const first = await serve(await way.begin(at("first")));
      const whale = makeTopicBook(`${name}-whale`, [`${name} whale`, `${name} plankton`]);
      const { id: whaleId } = await upload(first.url, whale);
      await first.client.reaches(whaleId, ({ status }) => status === "Ready");
      const paidBefore = new Set(openAi.calls().map(({ content }) => content));
      const { code, stdout } = await runDocmill(["keys", "create", "--name", "auditor", "--scope", "read", "--json"], {
        env: first.env,
      });
      expect(code).toBe(0);
      const { key } = JSON.parse(stdout) as { key: string };
      const job = await createGatedJob(first.url, folder, { items: ["a", "b"] });
      await job.open("a");
      await job.reaches(first.url, ({ completedItems }) => completedItems === 1);
      const seen = await readEvents(first.url, job.id, 2);

      const load = keepUploading(first.url, name);
      await until(() => load.taken.length >= 3);
      if (!way.whileRunning) {
        await load.stop();
        first.server.kill("SIGTERM");
        await first.server.ended;
      }
      await way.take(first.env, at("backup"));
      // What came before the backup began is in it; what came later may be.
      const certain = load.taken.slice(0, 3);
      if (way.whileRunning) await load.stop();
      await endProcess(first.server);

      const second = await serve(await way.restore(at("backup"), at("second")));
      await job.open("b");
      expect(await job.reaches(second.url, ({ status }) => status === "completed")).toMatchObject({
        completedItems: 2,
      });
      // The first item was checkpointed before the backup: nobody runs it again.
      expect(await job.runs()).toMatchObject({ begin: 1, a: 1 });
      const { events, last } = await readAllEvents(second.url, job.id);
      expect(events.slice(0, seen.length)).toEqual(seen);
      expect(events.map(({ id }) => Number(id))).toEqual(events.map((_event, index) => index + 1));
      expect(last).toBe("job_completed");

      const documents = await until(async () => {
        const { body } = await second.client.ask("/api/documents?limit=100");
        return body.items.every(({ status }: DocumentSummary) => status !== "Processing") && body.items;
      });
      expect(documents.map(({ status }: DocumentSummary) => status)).toEqual(documents.map(() => "Ready"));
      const ids = documents.map(({ id }: DocumentSummary) => id);
      expect(ids).toEqual(expect.arrayContaining([whaleId, ...certain]));
      for (const id of ids) expect((await fetch(`${second.url}/api/documents/${id}/file`)).status).toBe(200);
      const markdown = await fetch(`${second.url}/api/documents/${whaleId}/markdown`);
      expect(await markdown.text()).toContain(`On ${name} plankton`);
      for (const mode of ["text", "meaning"]) {
        const words = wordsOf(`${name} plankton`).slice(0, 4).join(" ");
        const { body } = await second.client.ask(`/api/search?mode=${mode}&q=${encodeURIComponent(words)}`);
        expect(body.items[0]).toMatchObject({ document: { id: whaleId }, matched: [mode] });
      }

      // What was paid for before the backup is not paid for again: not even for a file that is brought once more.
      expect((await upload(second.url, whale)).id).toBe(whaleId);
      const again = await upload(second.url, { ...whale, name: "again.epub" });
      await second.client.reaches(again.id, ({ status }) => status === "Ready");
      expect(openAi.calls().filter(({ content, paid }) => paidBefore.has(content) && paid > 1)).toEqual([]);

      const asked = (bearer: string) =>
        fetch(`${second.url}/api/documents`, { headers: { authorization: `Bearer ${bearer}` } });
      expect((await asked(key)).status).toBe(200);
      expect((await asked(`${key.slice(0, -4)}zzzz`)).status).toBe(401);
    },
  );
});

it("a data folder that was copied under a running server is not mistaken for the server's own", async () => {
  const data = join(folder, "running");
  await serve({ DOCMILL_DATA_DIR: data });
  const copied = join(folder, "copied");
  await cp(data, copied, { recursive: true, filter: (path) => !/\/(base|pg_wal|socket)$/.test(path) });
  expect(await findEmbeddedPostgres(data)).toBeDefined();
  expect(await findEmbeddedPostgres(copied)).toBeUndefined();
  await rm(copied, { recursive: true });
});

/** The first events of a job's stream. */
async function readEvents(url: string, jobId: string, count: number) {
  await using stream = await openStream(`${url}/api/jobs/${jobId}/stream`, 0);
  const events = [];
  while (events.length < count) events.push(await stream.next());
  return events;
}

async function readAllEvents(url: string, jobId: string) {
  await using stream = await openStream(`${url}/api/jobs/${jobId}/stream`, 0);
  const events = await stream.rest();
  return { events, last: events.at(-1)?.type };
}

describe("kill -9", () => {
  it("during a backup leaves a folder that is no backup", async () => {
    const s3 = await startS3(join(folder, "s3"));
    onTestFinished(() => s3.close());
    const meter = await startCallMeter(s3.endpoint);
    onTestFinished(() => meter.close());
    const { url } = await createTestDatabase();
    const env = {
      DATABASE_URL: url,
      DOCMILL_STORAGE: "s3",
      DOCMILL_S3_ENDPOINT: meter.url,
      DOCMILL_S3_BUCKET: s3.bucket,
      DOCMILL_S3_ACCESS_KEY_ID: s3.accessKeyId,
      DOCMILL_S3_SECRET_ACCESS_KEY: s3.secretAccessKey,
    };
    const { client, url: serverUrl } = await serve(env);
    const { id } = await upload(serverUrl, makeTopicBook("kept", ["kept"]));
    await client.reaches(id, ({ status }) => status === "Ready");

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
    expect(await runDocmill(["backup", join(folder, "whole")], { env })).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Backed up \d+ rows of \d+ tables and 3 files/),
      // No word of files that it looked for in vain.
      stderr: "",
    });
  });

  it("during a restore leaves an empty database, into which it can be done again", async () => {
    const target = await createTestDatabase();
    onTestFinished(() => target.drop());
    const { db, url } = target;
    const env = { DATABASE_URL: url, DOCMILL_DATA_DIR: join(folder, "restored") };
    // The documents come after many other tables; their first row is made to wait.
    await db.query(sql`create function hold() returns trigger language plpgsql as $$ begin
      perform pg_advisory_xact_lock(1); return new; end $$`);
    await db.query(sql`create trigger hold before insert on documents for each row execute function hold()`);
    const restoring = await db.transaction(async (tx) => {
      await tx.query(sql`select pg_advisory_xact_lock(1)`);
      const child = spawnDocmill(["restore", join(folder, "whole")], { env });
      await until(
        async () => (await db.query(sql`select from pg_locks where locktype = 'advisory' and not granted`))[0],
      );
      return child;
    });
    await endProcess(restoring);
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

    expect(await runDocmill(["restore", join(folder, "whole")], { env })).toMatchObject({ code: 0 });
    expect(await db.query(sql`select count(*)::integer as count from documents`)).toEqual([{ count: 1 }]);
    expect(await runDocmill(["restore", join(folder, "whole")], { env })).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/database is not empty.*\(RESTORE_TARGET_NOT_EMPTY\)/),
    });
  });
});
