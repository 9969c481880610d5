/** Takes a scan of unknown origin into storage: an image of a kind that is read, told from its first bytes. */
import { DocmillError } from "../../errors.ts";
import { detectFormat } from "../../formats/detect-format.ts";
import { type Format, isPaged } from "../../formats/format.ts";
import type { BlobStore } from "../../storage/blob-store.ts";
import { takeIn } from "../../storage/take-in.ts";
import { rawKey } from "./blob-keys.ts";

export interface StoredScan {
  filename: string;
  rawKey: string;
  format: Format;
}

export interface StoreScanOptions {
  blobs: BlobStore;
  bookId: string;
  fileNum: number;
  filename: string;
  maxBytes: number;
  signal?: AbortSignal;
}

export async function storeScan(source: AsyncIterable<Uint8Array>, options: StoreScanOptions): Promise<StoredScan> {
  const { blobs, bookId, fileNum, filename, maxBytes, signal } = options;
  const { key, seen: format } = await takeIn<Format>(source, {
    blobs,
    key: (seen) => rawKey(bookId, fileNum, seen),
    inspect: (head) => requireImage(head, filename),
    maxBytes,
    tooLarge: () => imageTooLarge(filename, maxBytes),
    signal,
  });
  return { filename, rawKey: key, format };
}

async function requireImage(head: Buffer, filename: string): Promise<Format> {
  if (head.length === 0) throw new DocmillError("EMPTY_IMAGE", `${filename} is empty.`);
  const format = await detectFormat(head, filename).catch(() => undefined);
  if (format && isPaged(format) && format !== "pdf") return format;
  throw new DocmillError("UNSUPPORTED_IMAGE", `${filename} is no image that is read: PNG, JPEG, TIFF and WebP are.`);
}

function imageTooLarge(filename: string, maxBytes: number): DocmillError {
  const mb = Math.round(maxBytes / 2 ** 20);
  return new DocmillError("IMAGE_FILE_TOO_LARGE", `${filename} is larger than ${mb} MB (DOCMILL_MAX_IMAGE_MB).`);
}
