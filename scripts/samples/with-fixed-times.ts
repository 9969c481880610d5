/** An archive packed anew with one date for all its entries, so that the same content gives the same bytes. */
import { unzipSync, type Zippable, zipSync } from "fflate";

// Archives have local time without a zone: the same everywhere only if it is made as local time.
const packedAt = new Date(2031, 2, 14, 9);

export function withFixedTimes(archive: Uint8Array): Uint8Array {
  const entries: Zippable = unzipSync(archive);
  return zipSync(entries, { level: 6, mtime: packedAt });
}
