/** The directory at the end of a zip archive. What it claims is checked against the file's size, not believed. */
import type { FileHandle } from "node:fs/promises";
import { TerminalError } from "../../errors.ts";
import { corruptFile } from "./flow-document.ts";

export interface ZipEntry {
  name: string;
  method: number;
  encrypted: boolean;
  crc: number;
  packedBytes: number;
  unpackedBytes: number;
  headerOffset: number;
}

interface DirectoryPlace {
  count: number;
  bytes: number;
  offset: number;
}

const endBytes = 22;
const maxCommentBytes = 65_535;
const entryBytes = 46;
const inExtraField = 0xffff_ffff;
/** Of the largest honest archives it is a few; it is read in one piece. */
const maxDirectoryBytes = 32 * 2 ** 20;

export async function readZipDirectory(file: FileHandle, fileBytes: number, maxEntries: number): Promise<ZipEntry[]> {
  const place = await findDirectory(file, fileBytes);
  if (place.count > maxEntries) {
    throw new TerminalError("ARCHIVE_TOO_LARGE", `The archive has ${place.count} entries.`, {
      details: { entries: place.count, limit: maxEntries },
    });
  }
  if (place.offset + place.bytes > fileBytes) throw corruptFile("The archive is cut short.");
  if (place.bytes > maxDirectoryBytes) {
    throw new TerminalError("ARCHIVE_TOO_LARGE", `The list of the archive's entries has ${place.bytes} bytes.`, {
      details: { directoryBytes: place.bytes, limit: maxDirectoryBytes },
    });
  }
  const directory = Buffer.alloc(place.bytes);
  await file.read(directory, 0, place.bytes, place.offset);
  const entries: ZipEntry[] = [];
  for (let at = 0; entries.length < place.count; ) {
    if (at + entryBytes > directory.length || directory.readUInt32LE(at) !== 0x02014b50) {
      throw corruptFile("The directory of the archive is damaged.");
    }
    const nameBytes = directory.readUInt16LE(at + 28);
    const extraBytes = directory.readUInt16LE(at + 30);
    const end = at + entryBytes + nameBytes + extraBytes;
    entries.push(readEntry(directory.subarray(at, end), nameBytes));
    at = end + directory.readUInt16LE(at + 32);
  }
  // Entries that share their packed bytes are how a small archive claims to hold petabytes.
  if (entries.reduce((sum, entry) => sum + entry.packedBytes, 0) > fileBytes) {
    throw new TerminalError("SUSPICIOUS_ARCHIVE", "The entries of the archive overlap.");
  }
  return entries;
}

async function findDirectory(file: FileHandle, fileBytes: number): Promise<DirectoryPlace> {
  const tailBytes = Math.min(fileBytes, endBytes + maxCommentBytes);
  const tail = Buffer.alloc(tailBytes);
  await file.read(tail, 0, tailBytes, fileBytes - tailBytes);
  const at = tail.lastIndexOf(Buffer.from("PK\x05\x06", "latin1"));
  if (at < 0 || at + endBytes > tailBytes) throw corruptFile("This is no zip archive, or its end is missing.");
  const place = {
    count: tail.readUInt16LE(at + 10),
    bytes: tail.readUInt32LE(at + 12),
    offset: tail.readUInt32LE(at + 16),
  };
  const large = place.count === 0xffff || place.bytes === inExtraField || place.offset === inExtraField;
  return large && at >= 20 && tail.readUInt32LE(at - 20) === 0x07064b50
    ? readLargeEnd(file, Number(tail.readBigUInt64LE(at - 12)))
    : place;
}

/** Archives written as a stream or with very many entries say it a second time, in numbers of 64 bits. */
async function readLargeEnd(file: FileHandle, offset: number): Promise<DirectoryPlace> {
  const end = Buffer.alloc(56);
  const { bytesRead } = await file.read(end, 0, end.length, offset);
  if (bytesRead < end.length || end.readUInt32LE(0) !== 0x06064b50) {
    throw corruptFile("The directory of the archive is damaged.");
  }
  return {
    count: Number(end.readBigUInt64LE(32)),
    bytes: Number(end.readBigUInt64LE(40)),
    offset: Number(end.readBigUInt64LE(48)),
  };
}

function readEntry(bytes: Buffer, nameBytes: number): ZipEntry {
  const flags = bytes.readUInt16LE(8);
  const entry = {
    name: readName(bytes.subarray(entryBytes, entryBytes + nameBytes)),
    encrypted: (flags & 1) === 1,
    method: bytes.readUInt16LE(10),
    crc: bytes.readUInt32LE(16),
    packedBytes: bytes.readUInt32LE(20),
    unpackedBytes: bytes.readUInt32LE(24),
    headerOffset: bytes.readUInt32LE(42),
  };
  const extra = findLargeNumbers(bytes.subarray(entryBytes + nameBytes));
  let at = 0;
  for (const key of ["unpackedBytes", "packedBytes", "headerOffset"] as const) {
    if (entry[key] !== inExtraField || !extra || at + 8 > extra.length) continue;
    entry[key] = Number(extra.readBigUInt64LE(at));
    at += 8;
  }
  return entry;
}

function findLargeNumbers(extra: Buffer): Buffer | undefined {
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) === 1) return extra.subarray(at + 4, at + 4 + extra.readUInt16LE(at + 2));
  }
  return undefined;
}

/** The upper half of code page 437, in which names without the flag for UTF-8 are written. */
const codePage437 =
  "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0";

/** Whatever the flag says, names mostly are UTF-8. */
function readName(bytes: Buffer): string {
  let name: string;
  try {
    name = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    name = Array.from(bytes, (byte) => (byte < 128 ? String.fromCharCode(byte) : codePage437[byte - 128])).join("");
  }
  return name.replaceAll("\\", "/").replace(/^(?:\.?\/)+/, "");
}
