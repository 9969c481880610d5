/** A real `docmill serve` in a process of its own with a data folder of its own, and what a bench asks of it over HTTP. */
import { openAsBlob } from "node:fs";
import { basename } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { DocumentDetail, DocumentSummary, ProcessingJob } from "../../src/contract/documents.ts";
import { startServe } from "../../test/support/docmill-process.ts";
import { makeTemporaryFolder, removeTemporaryFolder } from "../../test/support/temporary-folder.ts";

/** What a bench asks of a server, wherever it runs. */
export interface DocmillClient {
  readonly url: string;
  /** Sends a file; answers as soon as the server does. */
  upload(path: string): Promise<DocumentSummary>;
  /** A document that satisfies; polls, since nothing a bench measures should depend on a stream. */
  until(id: string, satisfies: (document: DocumentDetail) => boolean, everyMs?: number): Promise<DocumentDetail>;
  /** Until no job waits or runs. */
  untilIdle(): Promise<void>;
  jobsOf(documentId: string): Promise<ProcessingJob[]>;
  get<Answer>(path: string): Promise<Answer>;
  post<Answer>(path: string, body: unknown): Promise<Answer>;
  remove(documentId: string): Promise<void>;
}

export interface DocmillServer extends DocmillClient {
  readonly pid: number;
  stop(): Promise<void>;
}

const pollMs = 25;

/** With an embedded database in a folder of its own, unless the settings name another. */
export async function startDocmill(
  options: { args?: readonly string[]; env?: Record<string, string> } = {},
): Promise<DocmillServer> {
  const folder = await makeTemporaryFolder();
  const env = { DOCMILL_LOG_LEVEL: "warn", DOCMILL_DATA_DIR: folder, ...options.env };
  const { server, url } = await startServe(["--port", "0", ...(options.args ?? [])], { env, cwd: folder });
  return {
    ...connectDocmill(url),
    pid: server.pid,
    async stop() {
      server.kill("SIGTERM");
      await server.ended;
      await removeTemporaryFolder(folder);
    },
  };
}

export function connectDocmill(url: string): DocmillClient {
  const ask = async (path: string, init: RequestInit = {}): Promise<Response> => {
    const response = await fetch(`${url}${path}`, {
      ...init,
      headers: { accept: "application/json", ...init.headers },
    });
    if (!response.ok) throw new Error(`${init.method ?? "GET"} ${path}: ${response.status} ${await response.text()}`);
    return response;
  };
  const get = async <Answer>(path: string) => (await (await ask(path)).json()) as Answer;
  return {
    url,
    get,
    async post<Answer>(path: string, body: unknown) {
      const headers = { "content-type": "application/json" };
      return (await (await ask(path, { method: "POST", body: JSON.stringify(body), headers })).json()) as Answer;
    },
    async upload(path) {
      const form = new FormData();
      form.set("file", await openAsBlob(path), basename(path));
      return (await (await ask("/api/documents", { method: "POST", body: form })).json()) as DocumentSummary;
    },
    async until(id, satisfies, everyMs = pollMs) {
      for (;;) {
        const document = await get<DocumentDetail>(`/api/documents/${id}`);
        if (satisfies(document)) return document;
        if (document.status === "Failed")
          throw new Error(`${document.filename}: ${document.errorCode}, ${document.errorMessage}`);
        await delay(everyMs);
      }
    },
    async untilIdle() {
      const some = async (state: string) =>
        (await get<{ items: unknown[] }>(`/api/jobs?state=${state}&limit=1`)).items.length > 0;
      while ((await some("pending")) || (await some("running"))) await delay(10 * pollMs);
    },
    jobsOf: async (documentId) => (await get<{ items: ProcessingJob[] }>(`/api/documents/${documentId}/jobs`)).items,
    async remove(documentId) {
      await ask(`/api/documents/${documentId}`, { method: "DELETE" });
    },
  };
}
