/** Compressed files of a backup, with the checksum of what is on the disk: made durable when written, compared when read. */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { constants, createGunzip, createGzip } from "node:zlib";
import { DocmillError } from "../errors.ts";

/** Answers the SHA-256 of the file. */
export async function writeChecked(
  folder: string,
  name: string,
  source: AsyncIterable<Uint8Array>,
): Promise<{ file: string; sha256: string }> {
  const hash = createHash("sha256");
  await using file = await open(join(folder, name), "wx", 0o600);
  await pipeline(
    source,
    createGzip({ level: constants.Z_BEST_SPEED }),
    async (compressed: AsyncIterable<Uint8Array>) => {
      for await (const chunk of compressed) {
        hash.update(chunk);
        await file.writeFile(chunk);
      }
    },
  );
  await file.sync();
  return { file: name, sha256: hash.digest("hex") };
}

/** The content of a file. Throws at its end, before its last bytes can count, if it is not what was written. */
export async function* readChecked(
  folder: string,
  { file, sha256 }: { file: string; sha256: string },
): AsyncGenerator<Uint8Array> {
  const hash = createHash("sha256");
  const compressed = createReadStream(join(folder, file));
  compressed.on("data", (chunk) => hash.update(chunk));
  const content = createGunzip();
  const done = pipeline(compressed, content).catch((error: unknown) => {
    throw damaged(file, error);
  });
  done.catch(() => undefined);
  try {
    yield* content;
  } catch (error) {
    throw damaged(file, error);
  }
  await done;
  if (hash.digest("hex") !== sha256) throw damaged(file);
}

export function damaged(file: string, cause?: unknown): DocmillError {
  return new DocmillError(
    "BACKUP_DAMAGED",
    `${file} of the backup is missing or is not what was written. Nothing was restored; use another copy of the backup.`,
    { cause },
  );
}
