/** Takes a document's file into storage; what it is is told from its first bytes, or from all of it where they do not say. */
import { TerminalError } from "../../errors.ts";
import { detectFormat, detectFormatOfFile } from "../../formats/detect-format.ts";
import { type Format, mediaTypes } from "../../formats/format.ts";
import type { BlobStore } from "../../storage/blob-store.ts";
import { takeIn } from "../../storage/take-in.ts";

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

export async function storeFile(
  source: AsyncIterable<Uint8Array>,
  { blobs, key, filename, maxBytes, signal }: StoreOptions,
): Promise<ArrivedFile> {
  const inspect = (head: Buffer) => detectFormat(head, filename);
  const taken = await takeIn(source, { blobs, key: () => key, inspect, maxBytes, tooLarge: fileTooLarge, signal });
  const { seen: told, size, sha256 } = taken;
  try {
    const format = told ?? (await blobs.withFile(key, (path) => detectFormatOfFile(path, filename), signal));
    return { blobKey: key, format, contentType: mediaTypes[format], size, sha256 };
  } catch (error) {
    await blobs.delete([key]);
    throw error;
  }
}

function fileTooLarge(maxBytes: number): TerminalError {
  const mb = Math.round(maxBytes / 2 ** 20);
  return new TerminalError("FILE_TOO_LARGE", `A file may have ${mb} MB at most (DOCMILL_MAX_FILE_MB).`, {
    details: { maxBytes },
  });
}
