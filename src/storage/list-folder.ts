/** The blobs of a folder in the order of their keys, as S3 and Azure give them: by bytes, across folders. */
import type { Dirent } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { isBlobKey } from "./blob-key.ts";
import type { BlobFacts } from "./blob-store.ts";
import { codeOf } from "./storage-errors.ts";

/** How many files are looked at side by side. */
const pageSize = 32;

export async function* listFolder(root: string, prefix: string): AsyncGenerator<BlobFacts> {
  const slash = prefix.lastIndexOf("/") + 1;
  yield* walk(root, prefix.slice(0, slash), prefix.slice(slash));
}

/** `parent` is the key of a folder, with its slash; only names that begin with `start` count. */
async function* walk(root: string, parent: string, start: string): AsyncGenerator<BlobFacts> {
  let page: string[] = [];
  for (const entry of await readFolder(join(root, parent), start)) {
    const key = parent + entry.name;
    // Names of another form are not Docmill's: what the store keeps for itself, what the system puts there.
    if (!isBlobKey(key)) continue;
    if (entry.isFile() && page.push(key) < pageSize) continue;
    yield* statAll(root, page);
    page = [];
    if (entry.isDirectory()) yield* walk(root, `${key}/`, "");
  }
  yield* statAll(root, page);
}

async function readFolder(path: string, start: string): Promise<Dirent[]> {
  try {
    const entries = await readdir(path, { withFileTypes: true });
    const sortName = (entry: Dirent) => (entry.isDirectory() ? `${entry.name}/` : entry.name);
    return entries
      .filter((entry) => entry.name.startsWith(start))
      .sort((one, other) => (sortName(one) < sortName(other) ? -1 : 1));
  } catch (error) {
    const code = codeOf(error);
    if (code === "ENOENT" || code === "ENOTDIR") return [];
    throw error;
  }
}

async function* statAll(root: string, keys: readonly string[]): AsyncGenerator<BlobFacts> {
  const found = await Promise.all(
    // What was deleted meanwhile is left out.
    keys.map((key) => stat(join(root, key)).catch(() => undefined)),
  );
  for (const [index, key] of keys.entries()) {
    const facts = found[index];
    if (facts) yield { key, size: facts.size, modifiedAt: facts.mtime };
  }
}
