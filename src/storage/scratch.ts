/**
 * Files and folders that live only while something is done. One that is in use is touched every hour, so whatever has not
 * been touched for a day was left by a process that was killed, and may be removed by anyone.
 */
import { readdir, rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";

const touchMs = 3_600_000;
const abandonedMs = 24 * touchMs;

/** Keeps a path from being taken for abandoned until the returned function is called. */
export function keepFresh(path: string): () => void {
  const timer = setInterval(() => {
    const now = new Date();
    // It may have just been moved to where it belongs.
    utimes(path, now, now).catch(() => undefined);
  }, touchMs);
  timer.unref();
  return () => clearInterval(timer);
}

/** Removes what killed processes left in a folder, among the names that begin with the prefix. */
export async function removeAbandoned(folder: string, prefix: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.startsWith(prefix)) continue;
    const path = join(folder, name);
    // Others may be clearing up at the same time, and another user's leftovers are not ours to remove.
    const found = await stat(path).catch(() => undefined);
    if (found && Date.now() - found.mtimeMs > abandonedMs) {
      await rm(path, { recursive: true, force: true }).catch(() => undefined);
    }
  }
}
