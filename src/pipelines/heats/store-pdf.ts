/** Takes a PDF of unknown origin into storage. What does not begin like a PDF is refused before anything is kept. */
import { TerminalError } from "../../errors.ts";
import { detectFormat } from "../../formats/detect-format.ts";
import type { BlobStore } from "../../storage/blob-store.ts";
import { takeIn } from "../../storage/take-in.ts";
import { pdfTooLarge } from "./sheet-errors.ts";

export interface StoredPdf {
  blobKey: string;
  size: number;
  sha256: string;
}

export interface StorePdfOptions {
  blobs: BlobStore;
  key: string;
  /** For the message when it is refused. */
  filename: string;
  maxBytes: number;
  signal?: AbortSignal;
}

export async function storePdf(
  source: AsyncIterable<Uint8Array>,
  { blobs, key, filename, maxBytes, signal }: StorePdfOptions,
): Promise<StoredPdf> {
  const tooLarge = () => pdfTooLarge(filename, maxBytes);
  const inspect = (head: Buffer) => requirePdf(head, filename);
  const { size, sha256 } = await takeIn(source, { blobs, key: () => key, inspect, maxBytes, tooLarge, signal });
  return { blobKey: key, size, sha256 };
}

async function requirePdf(head: Buffer, filename: string): Promise<void> {
  // The name may only help where the header is late: what is text is no PDF whatever it is called.
  const format = await detectFormat(head, "sheet.pdf").catch(() => undefined);
  if (format === "pdf") return;
  const message = head.length === 0 ? `${filename} is empty.` : `${filename} is not a PDF.`;
  throw new TerminalError("INVALID_PDF", message, { details: { filename } });
}
