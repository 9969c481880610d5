/** Remote blobs as local files for as long as they are used; gone afterwards, whatever happened. */
import { createWriteStream } from "node:fs";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { DocmillError } from "../errors.ts";
import { keepFresh, removeAbandoned } from "./scratch.ts";
import { folderError } from "./storage-errors.ts";

const prefix = "docmill-blob-";

export interface TemporaryCopies {
  /** Copies what `read` gives to a file with the key's last name. */
  withCopy<Result>(key: string, read: () => Promise<Readable>, use: (path: string) => Promise<Result>): Promise<Result>;
}

export async function openTemporaryCopies(tempDir: string | undefined): Promise<TemporaryCopies> {
  const parent = tempDir ?? tmpdir();
  try {
    await mkdir(parent, { recursive: true });
    await removeAbandoned(parent, prefix);
  } catch (error) {
    throw folderError(error, parent);
  }
  return {
    async withCopy(key, read, use) {
      const source = await read();
      const folder = await mkdtemp(join(parent, prefix)).catch((error: unknown) => {
        source.destroy();
        throw folderError(error, parent);
      });
      const rest = keepFresh(folder);
      try {
        const path = join(folder, basename(key));
        try {
          await pipeline(source, createWriteStream(path, { mode: 0o600 }));
        } catch (error) {
          throw error instanceof DocmillError || source.errored === error ? error : folderError(error, parent);
        }
        return await use(path);
      } finally {
        rest();
        await rm(folder, { recursive: true, force: true, maxRetries: 3 });
      }
    },
  };
}
