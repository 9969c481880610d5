/** Zip archives written entry by entry, where a file has to be odd: sizes that lie, shared data, names that climb. */
import { crc32, deflateRawSync } from "node:zlib";

export interface OddEntry {
  name: string;
  data: Buffer;
  /** Already packed, for content that many entries share. */
  packed?: Buffer;
  /** What the archive says instead of the truth. */
  says?: { unpackedBytes?: number; packedBytes?: number };
  /** Where the entry is said to begin: that of an entry before. */
  at?: number;
}

export interface WrittenZip {
  bytes: Buffer;
  /** Where each entry begins. */
  offsets: number[];
}

export function writeZip(entries: readonly OddEntry[], end: { comment?: Buffer } = {}): WrittenZip {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  const offsets: number[] = [];
  let offset = 0;
  for (const { name, data, packed = deflateRawSync(data), says = {}, at } of entries) {
    const title = Buffer.from(name);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(8, 4);
    common.writeUInt32LE(crc32(data), 10);
    common.writeUInt32LE(says.packedBytes ?? packed.length, 14);
    common.writeUInt32LE(says.unpackedBytes ?? data.length, 18);
    common.writeUInt16LE(title.length, 22);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(at ?? offset, 10);
    directory.push(Buffer.from("PK\x01\x02\x14\0", "latin1"), common, place, title);
    offsets.push(at ?? offset);
    if (at !== undefined) continue;
    parts.push(Buffer.from("PK\x03\x04", "latin1"), common, title, packed);
    offset += 30 + title.length + packed.length;
  }
  const listed = Buffer.concat(directory);
  return { bytes: Buffer.concat([...parts, listed, writeEnd(entries.length, listed.length, offset, end)]), offsets };
}

function writeEnd(count: number, bytes: number, offset: number, { comment = Buffer.alloc(0) }: { comment?: Buffer }) {
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", "latin1");
  end.writeUInt16LE(Math.min(count, 0xffff), 8);
  end.writeUInt16LE(Math.min(count, 0xffff), 10);
  end.writeUInt32LE(bytes, 12);
  end.writeUInt32LE(offset, 16);
  end.writeUInt16LE(comment.length, 20);
  const large = count >= 0xffff ? [writeLargeEnd(count, bytes, offset), writeLocator(offset + bytes)] : [];
  return Buffer.concat([...large, end, comment]);
}

/** The end of an archive in numbers of 64 bits, which may say anything. */
export function writeLargeEnd(count: number | bigint, bytes: number | bigint, offset: number | bigint): Buffer {
  const end = Buffer.alloc(56);
  end.write("PK\x06\x06", "latin1");
  end.writeBigUInt64LE(44n, 4);
  end.writeBigUInt64LE(BigInt(count), 24);
  end.writeBigUInt64LE(BigInt(count), 32);
  end.writeBigUInt64LE(BigInt(bytes), 40);
  end.writeBigUInt64LE(BigInt(offset), 48);
  return end;
}

export function writeLocator(offset: number | bigint): Buffer {
  const locator = Buffer.alloc(20);
  locator.write("PK\x06\x07", "latin1");
  locator.writeBigUInt64LE(BigInt(offset), 8);
  locator.writeUInt32LE(1, 16);
  return locator;
}
