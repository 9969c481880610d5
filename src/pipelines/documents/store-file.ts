/**
 * Takes a file of unknown origin into storage: what it is is told from its first bytes before anything is kept, its hash
 * and size are taken while it streams by. A file that is refused, or whose source breaks off, leaves nothing behind.
 */
import { createHash } from "node:crypto";
import { TerminalError } from "../../errors.ts";
import { detectFormat, detectFormatOfFile } from "../../formats/detect-format.ts";
import { type Format, mediaTypes } from "../../formats/format.ts";
import type { BlobStore } from "../../storage/blob-store.ts";

export interface ArrivedFile {
  blobKey: string;
  format: Format;
  contentType: string;
  size: number;
  sha256: string;
}

export interface StoreOptions {
  blobs: BlobStore;
  key: string;
  filename: string;
  maxBytes: number;
  signal?: AbortSignal;
}

/** As much as is looked at before the rest is let in. */
const headBytes = 64 * 1024;

export async function storeFile(
  source: AsyncIterable<Uint8Array>,
  { blobs, key, filename, maxBytes, signal }: StoreOptions,
): Promise<ArrivedFile> {
  const { head, rest } = await takeHead(source);
  const told = await detectFormat(head, filename);
  const hash = createHash("sha256");
  const { size } = await blobs.put(key, measured(head, rest, hash, maxBytes), { signal });
  try {
    const format = told ?? (await blobs.withFile(key, (path) => detectFormatOfFile(path, filename), signal));
    return { blobKey: key, format, contentType: mediaTypes[format], size, sha256: hash.digest("hex") };
  } catch (error) {
    await blobs.delete([key]);
    throw error;
  }
}

async function takeHead(source: AsyncIterable<Uint8Array>): Promise<{ head: Buffer; rest: AsyncIterator<Uint8Array> }> {
  const rest = source[Symbol.asyncIterator]();
  const parts: Uint8Array[] = [];
  for (let bytes = 0; bytes < headBytes; ) {
    const next = await rest.next();
    if (next.done) break;
    parts.push(next.value);
    bytes += next.value.length;
  }
  return { head: Buffer.concat(parts), rest };
}

async function* measured(
  head: Uint8Array,
  rest: AsyncIterator<Uint8Array>,
  hash: ReturnType<typeof createHash>,
  maxBytes: number,
): AsyncGenerator<Uint8Array> {
  let size = 0;
  for (let part: Uint8Array | undefined = head; part !== undefined; ) {
    size += part.length;
    if (size > maxBytes) throw fileTooLarge(maxBytes);
    hash.update(part);
    yield part;
    const next = await rest.next();
    part = next.done ? undefined : next.value;
  }
}

function fileTooLarge(maxBytes: number): TerminalError {
  const mb = Math.round(maxBytes / 2 ** 20);
  return new TerminalError("FILE_TOO_LARGE", `A file may have ${mb} MB at most (DOCMILL_MAX_FILE_MB).`, {
    details: { maxBytes },
  });
}
