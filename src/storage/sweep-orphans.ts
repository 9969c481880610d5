/**
 * Removes files that nothing points to: what a process left that was killed between storing a file and committing the row
 * it belongs to. Young files are left alone: someone may be about to commit them.
 */
import type { BlobStore } from "./blob-store.ts";

export interface SweepOptions {
  blobs: Pick<BlobStore, "list" | "delete">;
  prefix: string;
  /** Those of the keys that belong to nothing. */
  findOrphans(keys: readonly string[]): Promise<readonly string[]>;
  signal: AbortSignal;
  now?: number;
}

const oldEnoughMs = 24 * 3_600_000;
const portion = 500;

/** Answers how many files were removed. */
export async function sweepOrphans(options: SweepOptions): Promise<number> {
  const { blobs, prefix, findOrphans, signal, now = Date.now() } = options;
  let removed = 0;
  let waiting: string[] = [];
  const removeOrphans = async () => {
    const orphans = await findOrphans(waiting);
    waiting = [];
    await blobs.delete(orphans);
    removed += orphans.length;
  };
  for await (const { key, modifiedAt } of blobs.list(prefix)) {
    if (signal.aborted) return removed;
    if (now - modifiedAt.getTime() < oldEnoughMs) continue;
    waiting.push(key);
    if (waiting.length === portion) await removeOrphans();
  }
  await removeOrphans();
  return removed;
}
