/**
 * One Docmill process per data folder. The lock is SQLite's exclusive lock on an empty file, because that is the lock
 * of the operating system that Node can take: it is granted to one of any number who ask at once, stays through a pause
 * of the process and a restart of the database, and is gone the moment the process is, however it ended.
 */
import { chmodSync, writeFileSync } from "node:fs";
import { access, constants, readFile } from "node:fs/promises";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as delay } from "node:timers/promises";
import { DocmillError } from "../../errors.ts";
import { type DataFolder, giveTo } from "./data-folder.ts";
import { explainFileError, messageOf } from "./explain-failure.ts";
import { isAlive } from "./server-processes.ts";

export interface OwnerLock {
  release(): void;
}

const sqliteBusy = 5;
const tries = 16;
const longestWaitMs = 50;

/** Takes the lock, or says who has it. */
export async function takeOwnerLock(folder: DataFolder): Promise<OwnerLock> {
  const lock = await tryOwnerLock(folder);
  if (lock) return lock;
  const pid = await readHolder(folder);
  throw new DocmillError(
    "DATA_DIR_IN_USE",
    `${pid ? `Process ${pid}` : "Another process"} already runs Docmill on the data folder ${folder.path}. Use that one, stop it first${pid ? ` (kill ${pid})` : ""}, or choose another folder with --data-dir.`,
    { details: { dataDir: folder.path, pid } },
  );
}

/** Takes the lock unless somebody else has it. */
export async function tryOwnerLock(folder: DataFolder): Promise<OwnerLock | undefined> {
  try {
    // Opening the lock file here, even to look at it, would drop the lock if this process already has it.
    await access(folder.home, constants.W_OK | constants.X_OK);
    await access(folder.lockFile, constants.W_OK).catch(unlessMissing);
  } catch (error) {
    throw explainFileError(error, folder.home);
  }
  const file = await lockFile(folder);
  if (!file) return undefined;
  try {
    announceHolder(folder);
    chmodSync(folder.lockFile, 0o600);
    await giveTo(folder.keeper, folder.lockFile);
    await giveTo(folder.keeper, folder.ownerFile);
  } catch (error) {
    // A full disk may refuse the few bytes that name the holder; the lock itself needs none.
    if ((error as NodeJS.ErrnoException).code !== "ENOSPC") {
      file.close();
      throw explainFileError(error, folder.home);
    }
  }
  return {
    release: () => {
      if (file.isOpen) file.close();
    },
  };
}

/**
 * SQLite comes to its exclusive lock in steps, and two who take the first step together both fail at the next. So a
 * failure counts only when it stays, after waits of different length.
 */
async function lockFile(folder: DataFolder): Promise<DatabaseSync | undefined> {
  for (let attempt = 1; attempt < tries; attempt++) {
    const file = lockFileOnce(folder);
    if (file) return file;
    await delay(Math.random() * longestWaitMs);
  }
  return lockFileOnce(folder);
}

function lockFileOnce(folder: DataFolder): DatabaseSync | undefined {
  let file: DatabaseSync | undefined;
  try {
    file = new DatabaseSync(folder.lockFile, { timeout: 0 });
    // Nothing is ever written, not even a journal: the lock must be had on a full disk, too.
    file.exec("pragma journal_mode = memory");
    file.exec("begin exclusive");
    return file;
  } catch (error) {
    file?.close();
    if ((error as { errcode?: unknown }).errcode === sqliteBusy) return undefined;
    throw new DocmillError(
      "DATA_DIR_NO_LOCKS",
      `The file system of ${folder.path} does not let Docmill lock a file (${messageOf(error)}), so it could not keep a second process out. Choose a data folder on a local disk (--data-dir), or set DATABASE_URL.`,
      { cause: error },
    );
  }
}

function announceHolder(folder: DataFolder): void {
  writeFileSync(folder.ownerFile, `${process.pid}\n`, { mode: 0o600 });
}

/** The holder writes its id just after it got the lock; until then the file may name one who is gone. */
async function readHolder(folder: DataFolder): Promise<number | undefined> {
  for (let look = 0; look < 20; look++) {
    const pid = Number(await readFile(folder.ownerFile, "utf8").catch(() => ""));
    if (pid > 0 && isAlive(pid)) return pid;
    await delay(25);
  }
  return undefined;
}

function unlessMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== "ENOENT") throw error;
}
