/**
 * Copies files from one store to another, with the checksum of what was copied. A file that goes away before its turn
 * is left out; one that was copied and has changed since is copied again.
 */
import { createHash } from "node:crypto";
import type { BlobFacts, BlobStore } from "../storage/blob-store.ts";
import { eachAtOnce } from "../storage/each-at-once.ts";
import { damaged } from "./checked-files.ts";
import type { FileEntry } from "./manifest.ts";

const filesAtOnce = 8;
/** How many names are looked at before they are copied: a list of all of them may be long. */
const portion = 1_000;

/** What was copied, by key. */
export type CopiedFiles = Map<string, FileEntry & { modifiedAt: number }>;

/** Copies all that is there and not copied yet. */
export async function copyNewFiles(from: BlobStore, to: BlobStore, copied: CopiedFiles): Promise<void> {
  let waiting: BlobFacts[] = [];
  const copyWaiting = async () => {
    await eachAtOnce(waiting, filesAtOnce, (facts) => copyFile(from, to, facts, copied));
    waiting = [];
  };
  for await (const facts of from.list("")) {
    const known = copied.get(facts.key);
    if (known && known.size === facts.size && known.modifiedAt === facts.modifiedAt.getTime()) continue;
    waiting.push(facts);
    if (waiting.length === portion) await copyWaiting();
  }
  await copyWaiting();
}

async function copyFile(from: BlobStore, to: BlobStore, { key, modifiedAt }: BlobFacts, copied: CopiedFiles) {
  const hash = createHash("sha256");
  try {
    const { size } = await to.put(key, hashed(await from.get(key), hash));
    copied.set(key, { key, size, sha256: hash.digest("hex"), modifiedAt: modifiedAt.getTime() });
  } catch (error) {
    if ((error as { code?: unknown }).code !== "BLOB_NOT_FOUND") throw error;
  }
}

/** Puts one file of a backup back. If it is not what was written, nothing is put. */
export async function putBack(from: BlobStore, to: BlobStore, { key, size, sha256 }: FileEntry): Promise<void> {
  const hash = createHash("sha256");
  const source = await from.get(key).catch((error: unknown) => {
    throw damaged(key, error);
  });
  await to.put(key, compared());

  async function* compared() {
    let bytes = 0;
    for await (const chunk of hashed(source, hash)) {
      bytes += chunk.length;
      yield chunk;
    }
    if (bytes !== size || hash.digest("hex") !== sha256) throw damaged(key);
  }
}

async function* hashed(source: AsyncIterable<Uint8Array>, hash: ReturnType<typeof createHash>) {
  for await (const chunk of source) {
    hash.update(chunk);
    yield chunk;
  }
}
