/** A real `docmill serve` on a database of its own, filled with things in every state that requests can name. */
import { readdir, readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { type KeyScope, keyScopes } from "../../../src/contract/access.ts";
import type { Database } from "../../../src/db/database.ts";
import { sql } from "../../../src/db/sql.ts";
import { openBookClient } from "../book-client.ts";
import { type DocmillProcess, runDocmill, startServe } from "../docmill-process.ts";
import { openDocumentClient } from "../document-place.ts";
import { openHeatClient } from "../heat-client.ts";
import { makeProgram } from "../heat-sheets.ts";
import { samplePages } from "../sample-pages.ts";
import { drawPdf } from "../sample-pdfs.ts";
import { makeTemporaryFolder, removeTemporaryFolder } from "../temporary-folder.ts";
import { createTestDatabase } from "../test-database.ts";
import { until } from "../until.ts";
import type { KnownThings } from "./hostile-requests.ts";

export interface FuzzPlace extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  readonly db: Database;
  /** What no answer may contain. */
  readonly secrets: readonly string[];
  /** Brings some of everything, and answers what may be named in requests. */
  fill(): Promise<KnownThings>;
  /** Cancels what waits, so that what comes next need not wait for it. */
  clearQueue(): Promise<void>;
  /** Uploads that are in storage and belong to nothing. */
  findOrphans(): Promise<string[]>;
  /** A second server on the same data, which asks for keys, and a key of each scope. */
  startGuarded(): Promise<GuardedServer>;
  /** What people have brought and made, by table, in a word each that changes with it. */
  fingerprint(): Promise<Record<string, string>>;
  /** Megabytes of memory the server has now. */
  memoryMb(): Promise<number>;
}

export interface GuardedServer {
  url: string;
  port: number;
  keys: Record<KeyScope, string>;
}

const config = fileURLToPath(new URL("./fuzz-config.ts", import.meta.url));

export async function openFuzzPlace(settings: Record<string, string> = {}): Promise<FuzzPlace> {
  await using opening = new AsyncDisposableStack();
  const database = await createTestDatabase();
  opening.defer(() => database.drop());
  const folder = await makeTemporaryFolder();
  opening.defer(() => removeTemporaryFolder(folder));
  const env = { DATABASE_URL: database.url, DOCMILL_CONCURRENCY: "1", DOCMILL_THREADS: "1", ...settings };
  const dataDir = join(folder, "data");
  const serving = ["--port", "0", "--config", config, "--data-dir", dataDir];
  const { server, url } = await startServe(serving, { env });
  opening.defer(() => end(server));
  const opened = opening.move();
  const { db } = database;
  return {
    url,
    port: Number(new URL(url).port),
    db,
    secrets: [folder, new URL(database.url).password].filter((secret) => secret !== ""),
    async fill() {
      await clearQueue(url);
      return fill(url, db);
    },
    clearQueue: () => clearQueue(url),
    async startGuarded() {
      const keys: Record<string, string> = {};
      for (const scope of keyScopes) {
        const { stdout } = await runDocmill(["keys", "create", "--name", scope, "--scope", scope], { env });
        keys[scope] = stdout.split("\n", 1)[0] as string;
      }
      const guardedEnv = { ...env, DOCMILL_REQUIRE_KEYS: "true", DOCMILL_RATE_LIMIT: "0" };
      const guarded = await startServe([...serving, "--no-workers"], { env: guardedEnv });
      opened.defer(() => end(guarded.server));
      return { url: guarded.url, port: Number(new URL(guarded.url).port), keys: keys as Record<KeyScope, string> };
    },
    fingerprint: () => fingerprint(db),
    findOrphans: () => findOrphans(join(dataDir, "files"), db),
    async memoryMb() {
      // Only Linux tells it like this; elsewhere nothing is known to have grown.
      const status = await readFile(`/proc/${server.pid}/status`, "utf8").catch(() => "");
      return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1024;
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

async function end(server: DocmillProcess): Promise<void> {
  server.kill("SIGKILL");
  await server.ended;
}

/** Of when a key was used last, of sessions and of the log of both is not spoken: reading leaves traces there. */
async function fingerprint(db: Database): Promise<Record<string, string>> {
  // What jobs do is their own affair: they come to rest first.
  await until(async () => {
    const soon = sql`run_at <= now() + interval '1 hour'`;
    const active = await db.query(sql`
      select from jobs where status = 'running' or (status = 'pending' and ${soon}) limit 1`);
    return active.length === 0;
  });
  const [row] = await db.query<Record<string, string>>(sql`
    select (select md5(string_agg(t::text, '' order by id)) from jobs t) as jobs,
      (select md5(string_agg(t::text, '' order by id)) from documents t) as documents,
      (select md5(string_agg(t::text, '' order by id)) from batches t) as batches,
      (select md5(string_agg(t::text, '' order by id)) from books t) as books,
      (select md5(string_agg(t::text, '' order by id)) from book_pages t) as book_pages,
      (select md5(string_agg(t::text, '' order by id)) from subtopics t) as subtopics,
      (select md5(string_agg(t::text, '' order by id)) from connections t) as connections,
      (select md5(string_agg(t::text, '' order by t)) from heat_batches t) as heat_batches,
      (select md5(string_agg(t::text, '' order by t)) from idempotency_keys t) as idempotency_keys,
      (select md5(string_agg(concat(id, name, scope, revoked_at), '' order by id)) from api_keys) as api_keys`);
  return row ?? {};
}

async function clearQueue(url: string): Promise<void> {
  const { ask, post } = openDocumentClient(url);
  const { body } = await ask("/api/jobs?state=pending&limit=500");
  for (const { id } of body.items) await post(`/api/jobs/${id}/cancel`);
}

async function fill(url: string, db: Database): Promise<KnownThings> {
  const documents = openDocumentClient(url);
  const heats = openHeatClient(url);
  const books = openBookClient(url);
  const pdf = await drawPdf((page) => page.text("One page about a quiet lagoon and its boats."));
  const about =
    "The quiet lagoon has wooden boats that nobody rows. In winter the water freezes, and children skate to the old mill.";
  const texts = [`${about} The mill has stood still for years.`, `${about} Its wheel turns again in spring.`].map(
    (text) => Buffer.from(text),
  );
  const broken = Buffer.concat([pdf.subarray(0, 200), Buffer.from("nothing more")]);
  const taken: string[] = [];
  for (const [name, bytes] of [
    ["lagoon.pdf", pdf],
    ["one.txt", texts[0]],
    ["other.txt", texts[1]],
    ["broken.pdf", broken],
  ] as const) {
    taken.push((await documents.upload({ name, bytes: bytes as Buffer })).id);
  }
  const far = await documents.post("/api/documents/from-url", { url: "http://127.0.0.1:1/far.pdf" });
  const gone = await documents.upload({ name: "gone.txt", bytes: Buffer.from("Gone soon.") });
  await documents.ask(`/api/documents/${gone.id}`, { method: "DELETE" });
  const cancelled = await documents.upload({ name: "cancelled.txt", bytes: Buffer.from("Never read.") });
  await documents.post(`/api/documents/${cancelled.id}/cancel`);

  const sheet = makeProgram("sheet.pdf");
  const { batchId } = await heats.start({ files: [sheet, { name: "no.pdf", bytes: broken }] });
  const { jobs: sheets } = await heats.ended(batchId);

  const bookId = await books.create();
  const pages = await samplePages(2);
  const { job_id: ocr } = await books.bring(bookId, pages);
  await books.ended(bookId, ocr as string);
  const { job_id: extraction } = await books.generate(bookId);
  await books.ended(bookId, extraction as string);
  const empty = await books.create("An empty book");
  const { topics } = await books.guidelines(bookId);
  for (const id of taken) await documents.reaches(id, ({ status }) => status !== "Processing");

  const { body: listed } = await documents.ask("/api/jobs?limit=40");
  const connections = await until(async () => {
    const { body } = await documents.ask("/api/connections?limit=10");
    return body.items.length > 0 && body.items;
  });
  const lists = [
    "/api/jobs",
    "/api/documents",
    "/api/documents?sort=name",
    "/api/batch",
    "/api/search?q=lagoon",
    "/api/connections",
  ];
  const cursors = await Promise.all(
    lists.map(async (list) => (await documents.ask(`${list}${list.includes("?") ? "&" : "?"}limit=1`)).body.nextCursor),
  );
  const codes = await db.query<{ code: string }>(sql`select code from heat_results limit 5`);
  const idsOf = (things: readonly { id: string }[]) => things.map(({ id }) => id);
  return {
    ids: {
      documents: [...taken, gone.id, cancelled.id, far.body.id],
      jobs: idsOf(listed.items),
      batch: [batchId],
      jobId: idsOf(sheets),
      books: [bookId, empty],
      job_id: [ocr as string, extraction as string],
      subtopic_id: topics.flatMap(({ subtopics }) => idsOf(subtopics)),
      connections: idsOf(connections),
      code: codes.map(({ code }) => code),
      page: ["1", "2", "0"],
      n: ["1", "2", "0"],
    },
    cursors: cursors.filter((cursor): cursor is string => typeof cursor === "string"),
    files: [
      pdf,
      ...texts,
      broken,
      Buffer.from(sheet.bytes),
      Buffer.from(pages[0]?.bytes ?? []),
      Buffer.alloc(0),
      Buffer.from("PK\x03\x04"),
    ],
    values: (name) =>
      ({ kind: ["anything", "locked", "document"], url: ["http://127.0.0.1:1/a.pdf", "ftp://x/"], q: ["lagoon"] })[
        name
      ] ?? [],
  };
}

async function findOrphans(files: string, db: Database): Promise<string[]> {
  const found = await readdir(files, { recursive: true, withFileTypes: true });
  const keys = found
    .filter((entry) => entry.isFile())
    .map((entry) => relative(files, join(entry.parentPath, entry.name)));
  const rows = await db.query<{ key: string }>(sql`
    select blob_key as key from documents where blob_key is not null
    union all select blob_key from heat_sources where blob_key is not null union all select raw_key from book_pages`);
  const known = new Set(rows.map(({ key }) => key));
  // What jobs write is another matter: these are what came in.
  return keys.filter((key) => /^\.incoming|\/original-|\/upload-|\/raw\//.test(key) && !known.has(key));
}
