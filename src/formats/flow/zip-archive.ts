/**
 * Reads a zip archive entry by entry: the directory first, and only the entries asked for are unpacked. Nothing is
 * written anywhere, and an entry never becomes larger than its directory entry and the limits say.
 */
import { type FileHandle, open } from "node:fs/promises";
import { crc32, inflateRawSync } from "node:zlib";
import { TerminalError } from "../../errors.ts";
import { corruptFile } from "./flow-document.ts";
import type { FlowLimits } from "./flow-limits.ts";
import { readZipDirectory, type ZipEntry } from "./read-zip-directory.ts";

export interface ZipArchive {
  /** Names with forward slashes and without a leading one; of two with the same name the first counts. */
  entries: ReadonlyMap<string, ZipEntry>;
  read(name: string): Promise<Uint8Array>;
  /** Throws ARCHIVE_TOO_LARGE if these entries together hold more text than is read of one document. */
  requireReadable(names: Iterable<string>): void;
}

const localHeaderBytes = 30;
const stored = 0;
const deflated = 8;
const smallEntryBytes = 2 ** 20;

export async function openZip(path: string, limits: FlowLimits): Promise<ZipArchive> {
  const list = await withFile(path, async (file) =>
    readZipDirectory(file, (await file.stat()).size, limits.maxEntries),
  );
  const unpackedBytes = list.reduce((sum, entry) => sum + entry.unpackedBytes, 0);
  if (unpackedBytes > limits.maxUnpackedBytes) {
    throw new TerminalError("ARCHIVE_TOO_LARGE", `The archive unpacks to ${unpackedBytes} bytes.`, {
      details: { unpackedBytes, limit: limits.maxUnpackedBytes },
    });
  }
  const entries = new Map<string, ZipEntry>();
  for (const entry of list) if (!entries.has(entry.name)) entries.set(entry.name, entry);
  return {
    entries,
    async read(name) {
      const entry = entries.get(name);
      if (!entry) throw corruptFile(`The archive has no ${JSON.stringify(name)}.`);
      checkEntry(entry, limits);
      return unpack(entry, await withFile(path, (file) => readPacked(file, entry)));
    },
    requireReadable(names) {
      let textBytes = 0;
      for (const name of names) textBytes += entries.get(name)?.unpackedBytes ?? 0;
      if (textBytes <= limits.maxTextBytes) return;
      throw new TerminalError("ARCHIVE_TOO_LARGE", `The text in the archive unpacks to ${textBytes} bytes.`, {
        details: { textBytes, limit: limits.maxTextBytes },
      });
    },
  };
}

function checkEntry(entry: ZipEntry, limits: FlowLimits): void {
  const { name, packedBytes, unpackedBytes } = entry;
  if (entry.encrypted)
    throw new TerminalError("ENCRYPTED_FILE", `${JSON.stringify(name)} in the archive is encrypted.`);
  if (unpackedBytes > smallEntryBytes && unpackedBytes > packedBytes * limits.maxRatio) {
    throw new TerminalError("SUSPICIOUS_ARCHIVE", `${JSON.stringify(name)} unpacks to ${unpackedBytes} bytes.`, {
      details: { packedBytes, unpackedBytes },
    });
  }
  if (unpackedBytes > limits.maxEntryBytes) {
    throw new TerminalError("ARCHIVE_TOO_LARGE", `${JSON.stringify(name)} unpacks to ${unpackedBytes} bytes.`, {
      details: { unpackedBytes, limit: limits.maxEntryBytes },
    });
  }
}

async function readPacked(file: FileHandle, entry: ZipEntry): Promise<Buffer> {
  const header = Buffer.alloc(localHeaderBytes);
  const { bytesRead } = await file.read(header, 0, localHeaderBytes, entry.headerOffset);
  if (bytesRead < localHeaderBytes || header.readUInt32LE(0) !== 0x04034b50) throw damaged(entry);
  // The lengths here may differ from those in the directory: the extra fields often do.
  const dataOffset = entry.headerOffset + localHeaderBytes + header.readUInt16LE(26) + header.readUInt16LE(28);
  const packed = Buffer.alloc(entry.packedBytes);
  if ((await file.read(packed, 0, packed.length, dataOffset)).bytesRead < packed.length) throw damaged(entry);
  return packed;
}

function unpack(entry: ZipEntry, packed: Buffer): Uint8Array {
  let data: Buffer;
  if (entry.method === stored) data = packed;
  else if (entry.method === deflated) {
    try {
      data = inflateRawSync(packed, { maxOutputLength: Math.max(entry.unpackedBytes, 1) });
    } catch (error) {
      if ((error as { code?: string }).code === "ERR_BUFFER_TOO_LARGE") {
        throw new TerminalError("SUSPICIOUS_ARCHIVE", `${JSON.stringify(entry.name)} is larger than it says.`);
      }
      throw damaged(entry, error);
    }
  } else throw corruptFile(`${JSON.stringify(entry.name)} is packed in a way nobody uses (${entry.method}).`);
  if (data.length !== entry.unpackedBytes || crc32(data) !== entry.crc) throw damaged(entry);
  return data;
}

function damaged(entry: ZipEntry, cause?: unknown): TerminalError {
  return corruptFile(`${JSON.stringify(entry.name)} in the archive is damaged.`, cause);
}

async function withFile<Result>(path: string, use: (file: FileHandle) => Promise<Result>): Promise<Result> {
  const file = await open(path);
  try {
    return await use(file);
  } finally {
    await file.close();
  }
}
