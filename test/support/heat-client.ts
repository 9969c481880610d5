/** What people do with batches of heat sheets over HTTP, on any server, and what must hold of a batch at any time. */
import { expect } from "vitest";
import type { BatchCreated, BatchDetail, BatchResults } from "../../src/contract/batches.ts";
import type { Database } from "../../src/db/database.ts";
import { sql } from "../../src/db/sql.ts";
import type { BlobStore } from "../../src/storage/blob-store.ts";
import { type DocumentClient, openDocumentClient, type SampleFile } from "./document-place.ts";
import { swimmer } from "./heat-sheets.ts";
import { countBatch } from "./read-job.ts";
import { until } from "./until.ts";

export interface BatchForm {
  /** Null for a form without one. */
  swimmer?: string | null;
  files?: readonly SampleFile[];
  /** Strings, or whatever a client may send as the field. */
  urls?: readonly unknown[] | string;
  notifyEmail?: string;
  query?: string;
  headers?: Record<string, string>;
}

export interface HeatClient extends Pick<DocumentClient, "ask" | "post"> {
  extract(form: BatchForm): ReturnType<DocumentClient["ask"]>;
  /** The same, of what must not be refused. */
  start(form: BatchForm): Promise<BatchCreated>;
  show(id: string): Promise<BatchDetail>;
  results(id: string): Promise<BatchResults>;
  /** The batch as soon as it has ended. */
  ended(id: string): Promise<BatchDetail>;
  /** The batch as soon as `fits` is true of it. */
  shows(id: string, fits: (batch: BatchDetail) => boolean): Promise<BatchDetail>;
}

export function openHeatClient(url: string): HeatClient {
  const { ask, post } = openDocumentClient(url);
  const need = async (path: string) => {
    const { status, body } = await ask(path);
    if (status !== 200) throw new Error(`${path} answered ${status}: ${JSON.stringify(body)}`);
    return body;
  };
  const extract: HeatClient["extract"] = ({ query = "", headers, ...form }) =>
    ask(`/api/batch/extract${query}`, { method: "POST", body: fillForm(form), headers });
  const show: HeatClient["show"] = (id) => need(`/api/batch/${id}`);
  const shows: HeatClient["shows"] = (id, fits) =>
    until(async () => {
      const batch = await show(id);
      return fits(batch) && batch;
    });
  return {
    ask,
    post,
    extract,
    async start(form) {
      const { status, body } = await extract(form);
      if (status !== 200) throw new Error(`the batch was answered ${status}: ${JSON.stringify(body)}`);
      return body;
    },
    show,
    shows,
    results: (id) => need(`/api/batch/${id}/results`),
    ended: (id) => shows(id, ({ batch }) => batch.status !== "pending" && batch.status !== "running"),
  };
}

function fillForm({ swimmer: name = swimmer, files = [], urls, notifyEmail }: BatchForm): FormData {
  const form = new FormData();
  if (name !== null) form.append("swimmer", name);
  for (const { name: filename, bytes } of files) {
    form.append("pdfs", new Blob([bytes as Uint8Array<ArrayBuffer>], { type: "application/pdf" }), filename);
  }
  if (urls !== undefined) form.append("urls", typeof urls === "string" ? urls : JSON.stringify(urls));
  if (notifyEmail !== undefined) form.append("notifyEmail", notifyEmail);
  return form;
}

/** Counters of the batch, and of what runs of it, are what its jobs' rows say. */
export async function expectRightCounters(db: Database, batchId: string): Promise<void> {
  const { counters, rows, turns } = await countBatch(db, batchId);
  expect(counters).toEqual(rows);
  expect(turns).toMatchObject({ says: (turns as { runs: number }).runs });
}

/** Rows that batches have, by table, and files in storage: what a refused request must not add to. */
export async function listLeftovers(db: Database, blobs: BlobStore): Promise<Record<string, unknown>> {
  const [rows] = await db.query<Record<string, unknown>>(sql`
    select (select count(*)::integer from batches) as batches, (select count(*)::integer from jobs) as jobs,
      (select count(*)::integer from events) as events, (select count(*)::integer from heat_batches) as heat_batches,
      (select count(*)::integer from heat_sources) as heat_sources, (select count(*)::integer from heat_results) as heat_results,
      (select count(*)::integer from batch_turns) as batch_turns, (select count(*)::integer from idempotency_keys) as keys`);
  return { ...rows, files: await listFiles(blobs) };
}

export async function listFiles(blobs: BlobStore, prefix = ""): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of blobs.list(prefix)) keys.push(key);
  return keys.sort();
}
