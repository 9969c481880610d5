/** Texts as blobs: small enough to be held in memory, written and read whole. */
import type { BlobStore } from "./blob-store.ts";

export async function putText(
  blobs: Pick<BlobStore, "put">,
  key: string,
  text: string | Uint8Array,
  contentType: string,
  signal?: AbortSignal,
): Promise<void> {
  async function* bytes() {
    yield typeof text === "string" ? Buffer.from(text) : text;
  }
  await blobs.put(key, bytes(), { contentType, signal });
}

export async function readText(blobs: Pick<BlobStore, "get">, key: string): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of await blobs.get(key)) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
}
