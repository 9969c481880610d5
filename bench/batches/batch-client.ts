/** Starts batches of heat sheets over HTTP, some at the same time. */
import type { BatchCreated } from "../../src/contract/batches.ts";
import type { SheetBatch } from "./make-sheets.ts";

const atOnce = 4;

/** Answers the ids, in the order of the batches. */
export async function startBatches(url: string, batches: readonly SheetBatch[]): Promise<string[]> {
  const ids: string[] = [];
  const left = [...batches.entries()];
  const sender = async () => {
    for (let next = left.shift(); next; next = left.shift()) ids[next[0]] = await startBatch(url, next[1]);
  };
  await Promise.all(Array.from({ length: atOnce }, sender));
  return ids;
}

async function startBatch(url: string, { swimmer, files }: SheetBatch): Promise<string> {
  const body = new FormData();
  body.append("swimmer", swimmer);
  for (const { name, bytes } of files) {
    body.append("pdfs", new Blob([bytes as Uint8Array<ArrayBuffer>], { type: "application/pdf" }), name);
  }
  const response = await fetch(`${url}/api/batch/extract`, { method: "POST", body });
  if (!response.ok) throw new Error(`a batch was answered ${response.status}: ${await response.text()}`);
  return ((await response.json()) as BatchCreated).batchId;
}
