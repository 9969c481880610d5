/**
 * Two servers and four workers that share nothing but a database (through PgBouncer, where it is installed) and a storage.
 * All are started at once on an empty database, replaced one after the other under load, one of them with kill -9, and
 * nothing is lost, done twice, told twice or paid for twice.
 */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { Sql, sql } from "../../src/db/sql.ts";
import { sweepBooks } from "../../src/pipelines/books/sweep-books.ts";
import { sweepFiles } from "../../src/pipelines/documents/sweep-files.ts";
import type { BlobStore } from "../../src/storage/blob-store.ts";
import { openBlobStore } from "../../src/storage/open-blob-store.ts";
import { startAzure, startS3 } from "../support/blob-servers.ts";
import { openBookClient } from "../support/book-client.ts";
import { answerAboutBooks } from "../support/book-model.ts";
import { type CallMeter, startCallMeter } from "../support/call-meter.ts";
import { runDocmill } from "../support/docmill-process.ts";
import { openDocumentClient, type SampleFile } from "../support/document-place.ts";
import { startFakeOpenAi } from "../support/fake-openai.ts";
import type { FakeService } from "../support/fake-service.ts";
import { type Fleet, startFleet } from "../support/fleet.ts";
import { openHeatClient } from "../support/heat-client.ts";
import { makeProgram } from "../support/heat-sheets.ts";
import { openPersistentClient, type PersistentClient, type StreamSeen } from "../support/persistent-client.ts";
import { pgBouncerProgram, startPgBouncer } from "../support/pgbouncer.ts";
import { samplePages } from "../support/sample-pages.ts";
import { makeReport } from "../support/sample-reports.ts";
import { makeTemporaryFolder, removeTemporaryFolder } from "../support/temporary-folder.ts";
import { createTestDatabase, type TestDatabase, testApplication } from "../support/test-database.ts";
import { makeTopicBook } from "../support/topic-texts.ts";
import { until } from "../support/until.ts";

const workers = { "worker-1": ["worker"], "worker-2": ["worker"], "worker-3": ["worker"], "worker-4": ["worker"] };
const commands = {
  "serve-1": ["serve", "--port", "0"],
  "serve-2": ["serve", "--port", "0", "--no-workers"],
  ...workers,
};
const paidCallsAtOnce = 2;
const poolSize = 10;
const clients = 3;

let folder: string;
let openAi: FakeService;
let meter: CallMeter;
let database: TestDatabase;
let env: Record<string, string>;
let fleet: Fleet;
let closing: AsyncDisposableStack;

beforeAll(async () => {
  folder = await makeTemporaryFolder();
});
afterAll(() => removeTemporaryFolder(folder));

beforeEach(async () => {
  closing = new AsyncDisposableStack();
  openAi = closing.adopt(await startFakeOpenAi({ answerChat: answerAboutBooks }), (service) => service.close());
  meter = closing.adopt(await startCallMeter(openAi.url), (started) => started.close());
  database = closing.adopt(await createTestDatabase({ empty: true }), ({ drop }) => drop());
  env = {
    DOCMILL_EMBEDDINGS: "openai",
    DOCMILL_EMBEDDINGS_URL: `${meter.url}/v1`,
    DOCMILL_EMBEDDINGS_DIMENSIONS: "64",
    DOCMILL_MODEL: "teacher",
    DOCMILL_MODEL_URL: `${meter.url}/v1`,
    DOCMILL_BRIDGE_CALLS: "0",
    DOCMILL_OCR: "model",
    DOCMILL_CONCURRENCY: "2",
    DOCMILL_THREADS: "1",
    DOCMILL_LEASE_MS: "20000",
    MAX_CONCURRENT_AI_CALLS: String(paidCallsAtOnce),
    DOCMILL_LOG_LEVEL: "info",
  };
});
afterEach(() => closing.disposeAsync());

const named = (name: string) => new Sql([name], []);

/** Through PgBouncer in transaction mode; notifications need a connection that is one's own. */
async function usePooler(): Promise<void> {
  const { url } = database;
  if (!pgBouncerProgram) return void Object.assign(env, { DATABASE_URL: url });
  const bouncer = closing.adopt(await startPgBouncer({ url, poolSize }), (started) => started.stop());
  Object.assign(env, { DATABASE_URL: bouncer.url, DOCMILL_DIRECT_URL: url });
}

/** Without a pooler, and as some managed servers are set: idle connections are closed, and statements may not take long. */
async function useStrictServer(): Promise<void> {
  const name = named(new URL(database.url).pathname.slice(1));
  await database.db.query(sql`alter database ${name} set idle_session_timeout = '1s'`);
  await database.db.query(sql`alter database ${name} set statement_timeout = '10s'`);
  await database.db.query(sql`alter database ${name} set idle_in_transaction_session_timeout = '10s'`);
  Object.assign(env, { DATABASE_URL: database.url });
}

async function useS3(): Promise<BlobStore> {
  const s3 = closing.adopt(await startS3(join(folder, "s3")), (server) => server.close());
  const { endpoint, bucket, accessKeyId, secretAccessKey } = s3;
  Object.assign(env, {
    DOCMILL_STORAGE: "s3",
    DOCMILL_S3_ENDPOINT: endpoint,
    DOCMILL_S3_BUCKET: bucket,
    DOCMILL_S3_ACCESS_KEY_ID: accessKeyId,
    DOCMILL_S3_SECRET_ACCESS_KEY: secretAccessKey,
  });
  return openBlobStore({ kind: "s3", endpoint, bucket, accessKeyId, secretAccessKey, tempDir: folder });
}

async function useAzure(): Promise<BlobStore> {
  const azure = closing.adopt(await startAzure(), (server) => server.close());
  const { connectionString, container } = azure;
  Object.assign(env, {
    DOCMILL_STORAGE: "azure",
    DOCMILL_AZURE_STORAGE: connectionString,
    DOCMILL_AZURE_CONTAINER: container,
  });
  return openBlobStore({ kind: "azure", connectionString, container, tempDir: folder });
}

async function start(): Promise<void> {
  fleet = closing.adopt(await startFleet({ folder, env, commands }), (started) => started.close());
}

/** What goes on all the time: each client brings a document, follows it to its end, and brings the next. */
function keepBringing(client: PersistentClient) {
  const brought = new Map<string, string>();
  const streams: StreamSeen[] = [];
  let stopped = false;
  const loops = Array.from({ length: clients }, async (_, index) => {
    for (let n = 1; !stopped; n++) {
      const name = `load-${index}-${n}`;
      const file = n % 4 === 0 ? await makeReport({ name, pages: [[name]] }) : makeTopicBook(name, [name]);
      const { id } = await client.upload({ ...file, name });
      brought.set(name, id);
      streams.push(await client.follow(`/api/documents/${id}/stream`));
    }
  });
  return {
    brought,
    streams,
    async stop() {
      stopped = true;
      await Promise.all(loops);
    },
  };
}

async function bringBook(url: string, scans: readonly SampleFile[]): Promise<{ bookId: string; jobId: string }> {
  const books = openBookClient(url);
  const bookId = await books.create();
  const { job_id } = await books.bring(bookId, scans);
  return { bookId, jobId: job_id as string };
}

/**
 * Kills a worker in the middle of a paid call. Calls are held before the service at that moment, so that none of them is
 * paid for and not yet written down: that one would have to be paid for again.
 */
async function killDuringCall(bookJob: string): Promise<string> {
  const pids = new Map(fleet.members.flatMap(({ name, process, url }) => (url ? [] : [[process.pid, name] as const])));
  for (;;) {
    meter.hold();
    const [victim] = await until(async () => {
      const [written] = await database.db.query<{ count: number }>(
        sql`select count(*)::integer as count from ledger where answered_at is not null`,
      );
      const paid = openAi.calls().reduce((sum, call) => sum + call.paid, 0);
      if (meter.heldBack === 0 || meter.heldBack !== meter.underWay || written?.count !== paid) return undefined;
      // A book's job is not tried again when its worker is lost: people are asked to.
      return database.db.query<{ pid: number }>(sql`
        select w.pid from call_slots s join workers w on w.id = s.holder
        where w.pid = any (${[...pids.keys()]}::integer[])
          and not exists (select from jobs j where j.id = ${bookJob} and j.worker_id = w.id)`);
    });
    const name = pids.get(victim?.pid ?? 0);
    if (name === undefined) {
      meter.release();
      await delay(100);
      continue;
    }
    const { process, folder: left } = fleet.members.find((member) => member.name === name) as Fleet["members"][number];
    const replacing = fleet.replace(name, "SIGKILL");
    await process.ended;
    meter.release();
    await replacing;
    return left;
  }
}

/** Every turn of periodic work that is taken from now on. */
async function watchTurns(): Promise<void> {
  const { db } = database;
  await db.query(sql`create table turns_taken (task text, turn integer, while_held boolean, unique (task, turn))`);
  await db.query(sql`
    create function note_turn() returns trigger language plpgsql as $$ begin
      insert into turns_taken values (new.name, new.turn, old.holder is not null and old.held_until > now());
      return new; end $$`);
  await db.query(sql`
    create trigger note_turn after update on periodic_tasks for each row when (old.turn <> new.turn) execute function note_turn()`);
}

async function atRest(): Promise<void> {
  await until(async () => {
    const active = await database.db.query(sql`select from jobs where status in ('pending', 'running') limit 1`);
    return active.length === 0;
  });
}

function expectWhole({ numbers }: StreamSeen): void {
  expect(numbers).toEqual(numbers.map((_, index) => index + 1));
}

describe.each([
  { place: "a database behind PgBouncer and S3", reach: usePooler, use: useS3, replaced: Object.keys(commands) },
  {
    place: "a strict database and Azure Blob",
    reach: useStrictServer,
    use: useAzure,
    replaced: ["serve-1", "worker-1"],
  },
])("on $place", ({ reach, use, replaced }) => {
  it("a rolling restart under load loses nothing and does nothing twice", { timeout: 240_000 }, async () => {
    await reach();
    const blobs = await use();
    closing.defer(() => blobs.close());
    const scans = await samplePages(6);
    const files = Array.from({ length: 6 }, (_, index) => makeProgram(`sheet-${index}.pdf`));
    await start();
    const { db } = database;
    await watchTurns();
    const client = openPersistentClient(fleet.url, fleet.servers);
    const { batchId } = await openHeatClient(fleet.url).start({ files });
    const book = await bringBook(fleet.url, scans);
    const load = keepBringing(client);
    const batchSeen = client.follow(`/api/batch/${batchId}/stream`);
    const bookSeen = client.follow(`/admin/books/${book.bookId}/jobs/${book.jobId}/stream`);
    await until(() => load.streams.length >= clients);

    const killedPlace = await killDuringCall(book.jobId);
    const places = new Set<string>();
    for (const name of replaced) {
      const { process, folder: place } = fleet.members.find(
        (member) => member.name === name,
      ) as Fleet["members"][number];
      places.add(place);
      await db.query(sql`update periodic_tasks set due_at = now() where holder is null`);
      await fleet.replace(name, "SIGTERM");
      expect(await process.ended, process.stderr).toMatchObject({ code: 0 });
      await connectionsAreInBounds();
      const before = load.streams.length;
      await until(() => load.streams.length > before);
    }
    await load.stop();
    const streams = [...load.streams, await batchSeen, await bookSeen];
    await atRest();

    // Whatever was accepted is there once and ready, whichever server was asked and however often.
    expect(client.troubles).toEqual([]);
    const documents = await db.query<{ filename: string; id: string; status: string; jobs: number }>(sql`
      select d.filename, d.id, j.status,
        (select count(*)::integer from jobs o where o.kind = 'document' and o.input ->> 'documentId' = d.id::text) as jobs
      from documents d join jobs j on j.id = d.job_id`);
    expect(Object.fromEntries(documents.map(({ filename, id }) => [filename, id]))).toEqual(
      Object.fromEntries(load.brought),
    );
    expect(documents.filter(({ status, jobs }) => status !== "completed" || jobs !== 1)).toEqual([]);
    const { ask } = openDocumentClient(fleet.url);
    expect((await ask(`/api/batch/${batchId}`)).body.batch).toMatchObject({ status: "completed", completedJobs: 6 });
    expect((await ask(`/admin/books/${book.bookId}/pages`)).body.pages).toHaveLength(6);
    expect(await db.query(sql`select status from jobs where id = ${book.jobId}`)).toEqual([{ status: "completed" }]);

    // Every stream was read at both servers in turn, each event once and in order.
    for (const seen of streams) expectWhole(seen);
    expect(streams.map(({ numbers }) => numbers.length).reduce((one, other) => one + other)).toBe(
      await countEvents([...load.brought.values()], [batchId, book.jobId]),
    );
    expect(Math.max(...streams.map((seen) => seen.connections))).toBeGreaterThan(1);

    expect(openAi.calls().filter(({ paid }) => paid !== 1)).toEqual([]);
    expect(meter.mostAnswered).toBeLessThanOrEqual(paidCallsAtOnce);
    expect(await db.query(sql`select from ledger where answered_at is null`)).toEqual([]);
    expect(await db.query(sql`select from call_slots where holder is not null`)).toEqual([]);
    expect(await db.query(sql`select from job_limits where running <> 0`)).toEqual([]);
    expect(await db.query(sql`select from batch_turns where running <> 0`)).toEqual([]);

    // One process at a time did each turn of the periodic work, and each turn was one process's.
    const turns = await db.query<{ task: string; whileHeld: boolean }>(sql`select task, while_held from turns_taken`);
    expect(turns.filter(({ whileHeld }) => whileHeld)).toEqual([]);
    const [tasks] = await db.query<{ done: number }>(sql`
      select count(*)::integer as done from periodic_tasks where last_finished_at is not null and failures = 0`);
    expect(tasks?.done).toBeGreaterThan(0);

    const ofPlaces = Object.entries(env).filter(([name]) =>
      /^DATABASE_URL|^DOCMILL_(DIRECT|STORAGE|S3|AZURE)/.test(name),
    );
    expect(await runDocmill(["doctor"], { env: Object.fromEntries(ofPlaces) })).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^ok {4}notifications: arrive[\s\S]*^ok {4}storage: /m),
    });

    await upgradeSchema();
    const late = await client.upload(makeTopicBook("late", ["late"]));
    load.brought.set("late", late.id);
    expectWhole(await client.follow(`/api/documents/${late.id}/stream`));
    for (const url of fleet.servers()) expect((await fetch(`${url}/readyz`)).status).toBe(200);
    expect(await runDocmill(["worker"], { env })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("Start the newer version"),
    });

    // Nothing is left on any disk by a process that was not killed.
    expect((await fleet.stop()).filter((code) => code !== 0 && code !== null)).toEqual([]);
    for (const place of [...places, ...fleet.members.map((member) => member.folder)]) {
      if (place !== killedPlace) expect(await listFiles(place)).toEqual([]);
    }
    // A day later the sweep leaves exactly what rows name.
    const tomorrow = Date.now() + 25 * 3_600_000;
    const { signal } = new AbortController();
    await sweepFiles({ db, blobs }, signal, tomorrow);
    await sweepBooks({ db, blobs }, signal, tomorrow);
    expect(await countBlobs(blobs, "documents/")).toBe(3 * load.brought.size);
  });
});

/** As the first process of a newer version does it, while all others still are of this one. */
async function upgradeSchema(): Promise<void> {
  for (const table of ["jobs", "event_rows", "documents", "chunks", "workers", "ledger", "idempotency_keys"]) {
    await database.db.query(sql`alter table ${named(table)} add column from_the_future text not null default 'new'`);
  }
  await database.db.query(sql`create table from_the_future (id uuid primary key)`);
  await database.db.query(
    sql`insert into schema_migrations (version, name, checksum) values (9999, '9999_future', '-')`,
  );
}

async function countEvents(documentIds: string[], streamIds: string[]): Promise<number> {
  const [row] = await database.db.query<{ count: number }>(sql`
    select count(*)::integer as count from events
    where stream_id = any (${streamIds}::uuid[])
       or stream_id in (select job_id from documents where id = any (${documentIds}::uuid[]))`);
  return row?.count ?? 0;
}

/**
 * The pooler keeps what reaches the server in bounds; besides it there is one connection for hints a process. The server
 * ends its side of a connection a moment after the other is gone.
 */
async function connectionsAreInBounds(): Promise<void> {
  await until(async () => {
    const rows = await database.db.query<{ name: string }>(sql`
      select application_name as name from pg_stat_activity
      where datname = current_database() and backend_type = 'client backend' and application_name <> ${testApplication}`);
    const hints = rows.filter(({ name }) => name === "docmill hints").length;
    const inPool = env.DOCMILL_DIRECT_URL === undefined || rows.length - hints <= poolSize;
    return inPool && hints <= fleet.members.length;
  });
}

async function listFiles(place: string): Promise<string[]> {
  const entries = await readdir(place, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

async function countBlobs(blobs: BlobStore, prefix: string): Promise<number> {
  let count = 0;
  for await (const _blob of blobs.list(prefix)) count++;
  return count;
}
