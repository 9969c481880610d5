/** Programs as they should be: an upload that is refused for now is sent again under its key, a stream that broke is gone on with. */
import { setTimeout as delay } from "node:timers/promises";
import type { DocumentSummary } from "../../../src/contract/documents.ts";
import { openStream } from "../event-reader.ts";

/** One try, as it was answered. */
export async function tryUpload(url: string, name: string, text: string, key?: string): Promise<Response> {
  const form = new FormData();
  form.append("file", new Blob([text]), name);
  const headers: Record<string, string> = key === undefined ? {} : { "idempotency-key": key };
  return fetch(`${url}/api/documents`, { method: "POST", body: form, headers });
}

/** Tries until it is taken. What a server says that is neither yes nor "later" is an error. */
export async function uploadPatiently(url: string, name: string, text: string): Promise<DocumentSummary> {
  for (;;) {
    const response = await tryUpload(url, name, text, name);
    const body = await response.json();
    if (response.status === 200) return body as DocumentSummary;
    if (response.status !== 503 || response.headers.get("retry-after") === null) {
      throw new Error(`${response.status} ${JSON.stringify(body)}`);
    }
    await delay(100);
  }
}

/** The numbers of a stream's events to its end, from the first on, in the order they came, over as many connections as it took. */
export async function readNumbersPatiently(streamUrl: string): Promise<number[]> {
  const numbers: number[] = [];
  for (;;) {
    try {
      await using stream = await openStream(streamUrl, numbers.at(-1) ?? 0);
      if (stream.response.status === 204) return numbers;
      if (stream.response.status !== 200) throw new Error(`the stream was answered ${stream.response.status}`);
      numbers.push(...(await stream.rest()).map(({ id }) => Number(id)));
    } catch {
      // Broken off, or not to be had at the moment.
    }
    await delay(50);
  }
}
