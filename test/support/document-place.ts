/**
 * A place where documents are processed: a database of its own, storage, a paid service that counts, and the HTTP API in
 * the test's process. Workers are what a test starts: real `docmill worker` processes, processes with fault points, or
 * one in the test's own process.
 */
import { join } from "node:path";
import { readConfig } from "../../src/config.ts";
import type { DocumentDetail, DocumentOptions, DocumentSummary, ProcessingJob } from "../../src/contract/documents.ts";
import type { Database } from "../../src/db/database.ts";
import { sql } from "../../src/db/sql.ts";
import { startHttpServer } from "../../src/http/server.ts";
import type { Worker } from "../../src/jobs/worker.ts";
import { openRuntime, type Runtime, type RuntimeOptions } from "../../src/runtime.ts";
import { type DocmillProcess, spawnDocmill } from "./docmill-process.ts";
import {
  type DocumentWorker,
  type DocumentWorkerOptions,
  type Moments,
  prepareDocumentWorker,
} from "./document-worker.ts";
import { type FakeOpenAiOptions, startFakeOpenAi } from "./fake-openai.ts";
import type { FakeService } from "./fake-service.ts";
import { silentLogger } from "./silent-logger.ts";
import { makeTemporaryFolder, removeTemporaryFolder } from "./temporary-folder.ts";
import { createTestDatabase } from "./test-database.ts";
import { until } from "./until.ts";

export interface SampleFile {
  name: string;
  bytes: Uint8Array;
}

interface HttpAnswer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests look at whatever came
  body: any;
}

export interface DocumentPlace extends AsyncDisposable {
  readonly databaseUrl: string;
  readonly db: Database;
  readonly runtime: Runtime;
  readonly url: string;
  /** Embeddings, and answers of the language model where one is set. */
  readonly openAi: FakeService;
  /** Settings of a further process on the same place. */
  readonly environment: Record<string, string>;
  ask(path: string, init?: RequestInit): Promise<HttpAnswer>;
  post(path: string, body?: unknown): Promise<HttpAnswer>;
  upload(file: SampleFile, options?: DocumentOptions): Promise<DocumentSummary>;
  read(id: string): Promise<DocumentDetail>;
  /** The document's jobs, newest first. */
  jobs(id: string): Promise<ProcessingJob[]>;
  /** Asks for the document until `fits` is true of it. */
  reaches(id: string, fits: (document: DocumentDetail) => boolean): Promise<DocumentDetail>;
  /** Resolves when no job waits or runs. */
  atRest(): Promise<void>;
  /** The files in storage of a document, or of all. */
  files(id?: string): Promise<string[]>;
  /** In the test's own process; what it holds is handed back when it stops. */
  startWorker(): Promise<Worker>;
  /** `docmill worker`, ready to take jobs. */
  startDocmillWorker(settings?: Record<string, string>): Promise<DocmillProcess>;
  /** A worker process with a fault point; it takes jobs when its test lets it. */
  prepareFaultWorker(options?: Omit<DocumentWorkerOptions, "environment">): DocumentWorker;
  /** The same, at work already. */
  startFaultWorker(moments?: Moments): Promise<DocumentWorker>;
  close(): Promise<void>;
}

export interface DocumentPlaceOptions {
  /** Settings by the names they have in the environment; they win over the place's own. */
  settings?: Record<string, string>;
  openAi?: FakeOpenAiOptions;
  /** What a config file would add. */
  own?: Partial<Pick<RuntimeOptions, "pipelines" | "providers" | "afterDocument">>;
}

export async function openDocumentPlace(options: DocumentPlaceOptions = {}): Promise<DocumentPlace> {
  await using opening = new AsyncDisposableStack();
  const database = await createTestDatabase();
  opening.defer(() => database.drop());
  const folder = await makeTemporaryFolder();
  opening.defer(() => removeTemporaryFolder(folder));
  const openAi = await startFakeOpenAi(options.openAi);
  opening.defer(() => openAi.close());
  const environment: Record<string, string> = {
    DATABASE_URL: database.url,
    DOCMILL_DATA_DIR: join(folder, "data"),
    DOCMILL_EMBEDDINGS: "openai",
    DOCMILL_EMBEDDINGS_URL: `${openAi.url}/v1`,
    DOCMILL_EMBEDDINGS_DIMENSIONS: "1024",
    DOCMILL_MODEL_URL: `${openAi.url}/v1`,
    DOCMILL_THREADS: "1",
    DOCMILL_CONCURRENCY: "2",
    DOCMILL_POLL_MS: "100",
    DOCMILL_LOG_LEVEL: "info",
    ...options.settings,
  };
  const { settings } = readConfig({ environment });
  const runtime = await openRuntime({ settings, pipelines: [], ...options.own, logger: silentLogger });
  opening.defer(() => runtime.close());
  const { engine, events, documents, heats, books } = runtime;
  const services = { engine, events, documents, heats, books };
  const http = await startHttpServer({ ...services, logger: silentLogger, host: "127.0.0.1", port: 0 });
  opening.defer(() => http.close());
  const processes: { end(): Promise<unknown> }[] = [];
  opening.defer(() => Promise.all(processes.map(({ end }) => end())).then(() => undefined));

  const prepareFaultWorker: DocumentPlace["prepareFaultWorker"] = (more = {}) => {
    const worker = prepareDocumentWorker({ environment, ...more });
    processes.push({ end: () => worker.kill() });
    return worker;
  };

  const { db } = database;
  const client = openDocumentClient(http.url);
  const opened = opening.move();
  const close = () => opened.disposeAsync();
  return {
    ...client,
    databaseUrl: database.url,
    db,
    runtime,
    url: http.url,
    openAi,
    environment,
    async atRest() {
      await until(async () => {
        const active = await db.query(sql`select from jobs where status in ('pending', 'running') limit 1`);
        return active.length === 0;
      });
    },
    async files(id) {
      const keys: string[] = [];
      for await (const { key } of documents.services.blobs.list(id ? `documents/${id}/` : "")) keys.push(key);
      return keys;
    },
    async startWorker() {
      const worker = await runtime.startWorker();
      processes.push({ end: () => worker.stop(5_000) });
      return worker;
    },
    async startDocmillWorker(more = {}) {
      const child = spawnDocmill(["worker"], { env: { ...environment, ...more } });
      processes.push({ end: () => endProcess(child) });
      await child.says(/is ready/);
      return child;
    },
    prepareFaultWorker,
    async startFaultWorker(moments) {
      const worker = prepareFaultWorker();
      await worker.start(moments);
      return worker;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** SIGKILL also ends one that was stopped. */
export async function endProcess(child: DocmillProcess): Promise<void> {
  child.kill("SIGKILL");
  await child.ended;
}

export type DocumentClient = Pick<DocumentPlace, "ask" | "post" | "upload" | "read" | "jobs" | "reaches">;

/** What people do over HTTP, on any server. */
export function openDocumentClient(url: string): DocumentClient {
  const ask: DocumentClient["ask"] = async (path, init) => {
    const response = await fetch(url + path, init);
    const text = await response.text();
    return { status: response.status, body: text === "" ? undefined : parse(text) };
  };
  const need = async (path: string) => {
    const { status, body } = await ask(path);
    if (status !== 200) throw new Error(`${path} answered ${status}: ${JSON.stringify(body)}`);
    return body;
  };
  const read: DocumentClient["read"] = (id) => need(`/api/documents/${id}`);
  return {
    ask,
    read,
    post: (path, body) =>
      ask(path, {
        method: "POST",
        ...(body !== undefined && { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
      }),
    async upload(file, options) {
      const form = new FormData();
      form.append("file", new Blob([file.bytes as Uint8Array<ArrayBuffer>]), file.name);
      if (options) form.append("options", JSON.stringify(options));
      const { status, body } = await ask("/api/documents", { method: "POST", body: form });
      if (status !== 200) throw new Error(`the upload was answered ${status}: ${JSON.stringify(body)}`);
      return body;
    },
    jobs: async (id) => (await need(`/api/documents/${id}/jobs`)).items,
    reaches: (id, fits) =>
      until(async () => {
        const document = await read(id);
        return fits(document) && document;
      }),
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
