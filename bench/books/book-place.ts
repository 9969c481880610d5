/** A `docmill serve` on a database and a folder of its own, and what books are asked of it: where their rows and files are is known. */
import { openAsBlob } from "node:fs";
import { basename, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { BookJob, BookPage, BulkUploaded, Guidelines, StartedJob } from "../../src/contract/books.ts";
import { migrate } from "../../src/db/migrate.ts";
import { silentLogger as logger } from "../../test/support/silent-logger.ts";
import { makeTemporaryFolder, removeTemporaryFolder } from "../../test/support/temporary-folder.ts";
import type { Bench } from "../harness/bench.ts";
import { startDocmill } from "../harness/docmill-server.ts";

export interface BookServer extends AsyncDisposable {
  readonly pid: number;
  /** Begins a book; answers its id. */
  create(): Promise<string>;
  /** All in one request, whatever the answer. */
  upload(bookId: string, files: readonly string[]): Promise<Response>;
  /** The same, of what must not be refused. */
  bring(bookId: string, files: readonly string[]): Promise<BulkUploaded>;
  pages(bookId: string): Promise<BookPage[]>;
  writeText(bookId: string, page: number, text: string): Promise<void>;
  generate(bookId: string): Promise<StartedJob>;
  guidelines(bookId: string): Promise<Guidelines>;
  cancel(bookId: string, jobId: string): Promise<void>;
  /** The job when it has ended. */
  ended(bookId: string, jobId: string): Promise<BookJob>;
  remove(bookId: string): Promise<void>;
}

export interface BookPlace extends AsyncDisposable {
  databaseUrl: string;
  /** Where the storage keeps its files, under their keys. */
  files: string;
  /** Several may run on it, at the same time or one after the other. */
  serve(options: { workers: boolean }): Promise<BookServer>;
}

const pollMs = 100;

export async function openBookPlace(bench: Bench): Promise<BookPlace> {
  await using opening = new AsyncDisposableStack();
  const database = await bench.server.createDatabase("books", async (url) => {
    await migrate({ url, logger });
  });
  opening.defer(() => database.drop());
  const folder = await makeTemporaryFolder();
  opening.defer(() => removeTemporaryFolder(folder));
  const opened = opening.move();
  return {
    databaseUrl: database.url,
    files: join(folder, "files"),
    async serve({ workers }) {
      const env = { DATABASE_URL: database.url, DOCMILL_DATA_DIR: folder };
      const server = await startDocmill({ args: workers ? [] : ["--no-workers"], env });
      return { ...connect(server.url), pid: server.pid, [Symbol.asyncDispose]: () => server.stop() };
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

function connect(url: string): Omit<BookServer, "pid" | typeof Symbol.asyncDispose> {
  const at = (bookId: string, path = "") => `${url}/admin/books/${bookId}${path}`;
  const need = async (asked: Promise<Response>): Promise<Response> => {
    const response = await asked;
    if (response.ok) return response;
    throw new Error(`${response.url} answered ${response.status}: ${await response.text()}`);
  };
  const json = async <Answer>(asked: Promise<Response>) => (await (await need(asked)).json()) as Answer;
  const send = (method: string, address: string, body: unknown) =>
    fetch(address, { method, body: JSON.stringify(body), headers: { "content-type": "application/json" } });
  const upload: BookServer["upload"] = async (bookId, files) => {
    const form = new FormData();
    for (const file of files) form.append("images", await openAsBlob(file), basename(file));
    return fetch(at(bookId, "/pages/bulk"), { method: "POST", body: form });
  };
  return {
    create: async () => (await json<{ id: string }>(send("POST", `${url}/admin/books`, { title: "Bench" }))).id,
    upload,
    bring: (bookId, files) => json(upload(bookId, files)),
    pages: async (bookId) => (await json<{ pages: BookPage[] }>(fetch(at(bookId, "/pages")))).pages,
    async writeText(bookId, page, text) {
      await need(send("PUT", at(bookId, `/pages/${page}/text`), { text }));
    },
    generate: (bookId) => json(send("POST", at(bookId, "/generate-guidelines"), {})),
    guidelines: (bookId) => json(fetch(at(bookId, "/guidelines"))),
    async cancel(bookId, jobId) {
      await need(fetch(at(bookId, `/jobs/${jobId}/cancel`), { method: "POST" }));
    },
    async ended(bookId, jobId) {
      for (;;) {
        const job = await json<BookJob>(fetch(at(bookId, `/jobs/${jobId}`)));
        if (job.status !== "pending" && job.status !== "running") return job;
        await delay(pollMs);
      }
    },
    async remove(bookId) {
      await need(fetch(at(bookId), { method: "DELETE" }));
    },
  };
}
