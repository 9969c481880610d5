/** A process that puts a blob that never ends into a folder: to be killed in the middle of it. */
import { setTimeout as delay } from "node:timers/promises";
import { openBlobStore } from "../../src/storage/open-blob-store.ts";

const [folder = "", key = ""] = process.argv.slice(2);
const store = await openBlobStore({ kind: "folder", folder });
await store.put(key, endless());

async function* endless(): AsyncGenerator<Uint8Array> {
  for (;;) {
    yield Buffer.alloc(64 * 1024, 1);
    await delay(1);
  }
}
