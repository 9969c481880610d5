/**
 * Takes a stream of unknown origin into storage: its beginning is looked at before anything is kept, its hash and size are
 * taken while it streams by. What is refused, or whose source breaks off, leaves nothing behind.
 */
import { createHash } from "node:crypto";
import type { BlobStore } from "./blob-store.ts";

export interface TakeInOptions<Seen> {
  blobs: Pick<BlobStore, "put" | "tookIn">;
  /** Where it is kept, by what was seen. */
  key(seen: Seen): string;
  /** Sees the first 64 kB, or all there is; throws to refuse the rest. */
  inspect(head: Buffer): Seen | Promise<Seen>;
  maxBytes: number;
  tooLarge(maxBytes: number): Error;
  signal?: AbortSignal;
}

export interface TakenIn<Seen> {
  key: string;
  seen: Seen;
  size: number;
  sha256: string;
}

const headBytes = 64 * 1024;

export async function takeIn<Seen>(
  source: AsyncIterable<Uint8Array>,
  options: TakeInOptions<Seen>,
): Promise<TakenIn<Seen>> {
  const { blobs, maxBytes, tooLarge, signal } = options;
  const { head, rest } = await takeHead(source);
  const seen = await options.inspect(head);
  const hash = createHash("sha256");
  const key = options.key(seen);
  const { size } = await blobs.put(key, measured(), { signal });
  blobs.tookIn?.(size);
  return { key, seen, size, sha256: hash.digest("hex") };

  async function* measured(): AsyncGenerator<Uint8Array> {
    let bytes = 0;
    for (let part: Uint8Array | undefined = head; part !== undefined; ) {
      bytes += part.length;
      if (bytes > maxBytes) throw tooLarge(maxBytes);
      hash.update(part);
      yield part;
      const next = await rest.next();
      part = next.done ? undefined : next.value;
    }
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
