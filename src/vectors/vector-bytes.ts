/** Vectors as they are stored: float32, little-endian, one after another. */
import { endianness } from "node:os";

export const floatBytes = 4;
const swapped = endianness() === "BE";

export function joinVectors(vectors: readonly Float32Array[]): Buffer {
  const bytes = Buffer.concat(
    vectors.map((vector) => Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength)),
  );
  return swapped ? bytes.swap32() : bytes;
}

/** From base64: in hexadecimal, as the driver reads bytes, loading many takes half as long again. */
export function readVector(base64: string): Float32Array {
  const bytes = Buffer.from(base64, "base64");
  if (swapped) bytes.swap32();
  // A copy: the buffer need not start at a multiple of four.
  return new Float32Array(new Uint8Array(bytes).buffer);
}
