/**
 * Blobs in a folder. A blob is written beside the others, in `.incoming`, made durable, and only then given its name: it is
 * there whole or not at all, whatever happens to the process or the power. Several processes may use one folder.
 */
import { randomUUID } from "node:crypto";
import { type FileHandle, mkdir, open, rename, rmdir, stat, unlink } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { checkBlobKey, checkBlobPrefix, checkRange } from "./blob-key.ts";
import type { BlobStore } from "./blob-store.ts";
import { checkBlobStore } from "./check-blob-store.ts";
import { guardRead } from "./guard-read.ts";
import { type Intake, openIntake } from "./intake.ts";
import { listFolder } from "./list-folder.ts";
import { keepFresh, removeAbandoned } from "./scratch.ts";
import { blobNotFound, codeOf, folderError } from "./storage-errors.ts";

export interface FolderStoreOptions {
  folder: string;
}

export async function openFolderStore(options: FolderStoreOptions): Promise<BlobStore> {
  const folder = resolve(options.folder);
  const incoming = join(folder, ".incoming");
  const pathOf = (key: string) => {
    checkBlobKey(key);
    return join(folder, key);
  };
  const translate = (error: unknown) => folderError(error, folder);

  try {
    await mkdir(incoming, { recursive: true, mode: 0o700 });
    await removeAbandoned(incoming, "");
  } catch (error) {
    throw translate(error);
  }

  const store: Omit<BlobStore, "check"> = {
    place: folder,

    async put(key, source, { signal } = {}) {
      const path = pathOf(key);
      signal?.throwIfAborted();
      const intake = openIntake(source, signal);
      const temporary = join(incoming, randomUUID());
      const rest = keepFresh(temporary);
      try {
        await writeWhole(temporary, intake);
        await giveName(folder, temporary, path);
      } catch (error) {
        await unlink(temporary).catch(() => undefined);
        throw intake.failure()?.error ?? translate(error);
      } finally {
        rest();
      }
      return { size: intake.size() };
    },

    async get(key, { start, end, signal } = {}) {
      const path = pathOf(key);
      checkRange({ start, end });
      signal?.throwIfAborted();
      const file = await openBlob(path, key).catch((error: unknown) => {
        throw translate(error);
      });
      return guardRead(file.createReadStream({ start, end }), { signal, translate });
    },

    async stat(key) {
      const found = await statFile(pathOf(key)).catch((error: unknown) => {
        throw translate(error);
      });
      return found && { key, size: found.size, modifiedAt: found.mtime };
    },

    async delete(keys) {
      const paths = keys.map(pathOf);
      for (const path of paths) {
        try {
          await unlink(path);
        } catch (error) {
          if (!isMissing(error) && !(await isFolder(path))) throw translate(error);
          continue;
        }
        await pruneFolders(folder, dirname(path));
      }
    },

    async *list(prefix) {
      checkBlobPrefix(prefix);
      try {
        yield* listFolder(folder, prefix);
      } catch (error) {
        throw translate(error);
      }
    },

    async withFile(key, use, signal) {
      const path = pathOf(key);
      signal?.throwIfAborted();
      if (!(await store.stat(key))) throw blobNotFound(key);
      return await use(path);
    },

    async close() {},
  };

  return { ...store, check: () => checkBlobStore(store) };
}

async function writeWhole(temporary: string, intake: Intake): Promise<void> {
  const file = await openNew(temporary);
  try {
    for await (const portion of inPortions(intake.chunks)) await file.writeFile(portion);
    await file.datasync();
  } finally {
    await file.close();
  }
}

/** What comes over a network comes in pieces; each write is a trip to another thread. */
const portionBytes = 256 * 1024;

async function* inPortions(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let gathered: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    gathered.push(chunk);
    bytes += chunk.length;
    if (bytes < portionBytes) continue;
    yield Buffer.concat(gathered);
    gathered = [];
    bytes = 0;
  }
  if (bytes > 0) yield Buffer.concat(gathered);
}

async function openNew(temporary: string): Promise<FileHandle> {
  try {
    return await open(temporary, "wx", 0o600);
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
    // Someone cleared it away. Not recursive: where the whole folder is gone, its disk may not be mounted.
    await mkdir(dirname(temporary), { mode: 0o700 }).catch((failure: unknown) => {
      if (codeOf(failure) !== "EEXIST") throw failure;
    });
    return open(temporary, "wx", 0o600);
  }
}

const mostPruned = 100;

/** Moves a written file to its place, durably. */
async function giveName(folder: string, temporary: string, path: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      await rename(temporary, path);
      break;
    } catch (error) {
      // A delete may prune the folder, empty until now, in between; many deletes may do so many times.
      if (codeOf(error) !== "ENOENT" || attempt === mostPruned) throw error;
    }
  }
  // Every folder up to the root: one that another put has just made may not be durable yet.
  const folders: string[] = [];
  for (let current = dirname(path); current.length >= folder.length; current = dirname(current)) folders.push(current);
  await Promise.all(folders.map(syncFolder));
}

async function syncFolder(path: string): Promise<void> {
  // Windows has no way to do it, and needs none.
  if (process.platform === "win32") return;
  let file: FileHandle;
  try {
    file = await open(path, "r");
  } catch (error) {
    // Pruned: then the blob has been deleted again already.
    if (codeOf(error) === "ENOENT") return;
    throw error;
  }
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

async function openBlob(path: string, key: string): Promise<FileHandle> {
  let file: FileHandle;
  try {
    file = await open(path, "r");
  } catch (error) {
    if (isMissing(error)) throw blobNotFound(key, error);
    throw error;
  }
  const found = await file.stat();
  if (found.isFile()) return file;
  await file.close();
  throw blobNotFound(key);
}

async function statFile(path: string) {
  try {
    const found = await stat(path);
    return found.isFile() ? found : undefined;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

async function isFolder(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found?.isDirectory() ?? false;
}

/** Removes the folders that a delete has emptied. */
async function pruneFolders(folder: string, from: string): Promise<void> {
  for (let current = from; current.length > folder.length; current = dirname(current)) {
    try {
      await rmdir(current);
    } catch {
      return;
    }
  }
}

/** ENOTDIR: a part of the path is a file, so nothing is below it. */
function isMissing(error: unknown): boolean {
  const code = codeOf(error);
  return code === "ENOENT" || code === "ENOTDIR";
}
