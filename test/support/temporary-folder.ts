/**
 * Folders for a test run that leave nothing behind: not on disk, and no server running in them, even when the run was
 * killed. A folder's name carries the process that made it; the next run clears the folders of processes that are gone.
 */
import { chmod, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stopAbandonedPostgres } from "../../src/db/embedded/start-embedded-postgres.ts";
import { silentLogger } from "./silent-logger.ts";

const prefix = "docmill-test-";

/** A new folder; data folders with a database in them go directly inside. */
export async function makeTemporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), `${prefix}${process.pid}-`));
  // Where root cannot use user namespaces, the server runs as nobody and must get through here.
  await chmod(folder, 0o755);
  return folder;
}

/** Stops the servers that still run in the folder, unless a living process owns them, and removes it. */
export async function removeTemporaryFolder(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (!entry.isDirectory()) continue;
    const stopped = await stopAbandonedPostgres({ dataDir: join(folder, entry.name), logger: silentLogger });
    if (!stopped) throw new Error(`a living process still owns ${join(folder, entry.name)}`);
  }
  await rm(folder, { recursive: true, force: true, maxRetries: 3 });
}

/** Removes what killed runs left behind. Another user's leftovers are that user's to remove. */
export async function removeLeftovers(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const maker = Number(new RegExp(`^${prefix}(\\d+)-`).exec(name)?.[1]);
    if (maker > 0 && isGone(maker)) await removeTemporaryFolder(join(tmpdir(), name)).catch(() => undefined);
  }
}

function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
}
