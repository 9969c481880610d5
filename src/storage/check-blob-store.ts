/** Whether a store can be used now: a small blob is written, read back and deleted. */
import { randomUUID } from "node:crypto";
import { buffer } from "node:stream/consumers";
import { TerminalError } from "../errors.ts";
import type { BlobStore } from "./blob-store.ts";

export async function checkBlobStore(store: Omit<BlobStore, "check">): Promise<void> {
  const key = `check/${randomUUID()}`;
  const written = Buffer.from(key);
  await store.put(key, one(written), { contentType: "text/plain" });
  try {
    const read = await buffer(await store.get(key));
    if (!read.equals(written)) {
      throw new TerminalError("STORAGE_UNFIT", `${store.place} does not give back what was written to it.`);
    }
  } finally {
    await store.delete([key]);
  }
}

async function* one(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
