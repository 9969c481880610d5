/** Bytes to store and compare: the same for the same length, and different at every place. */
import { createHash } from "node:crypto";

const chunkBytes = 64 * 1024;

export function makeBytes(size: number): Buffer {
  const bytes = Buffer.allocUnsafe(size);
  for (let offset = 0; offset + 4 <= size; offset += 4) bytes.writeUInt32LE((offset * 2_654_435_761) >>> 0, offset);
  bytes.fill(7, size - (size % 4));
  return bytes;
}

export async function* inChunks(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let offset = 0; offset < bytes.length; offset += chunkBytes) yield bytes.subarray(offset, offset + chunkBytes);
}

export async function hashOf(source: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of source) hash.update(chunk);
  return hash.digest("hex");
}
