/**
 * Where the embedded server keeps its things inside the data folder, and the promise that Docmill may write there.
 * Everything lives in one sub-folder that others cannot read, whatever the permissions of the data folder are.
 */
import { chmod, chown, lstat, mkdir, readdir, realpath, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { DocmillError } from "../../errors.ts";
import { explainFileError } from "./explain-failure.ts";

export interface FileOwner {
  uid: number;
  gid: number;
}

export interface DataFolder {
  /** The data folder itself, absolute and without symbolic links. */
  path: string;
  /** Docmill's sub-folder for the database; everything below is in it. */
  home: string;
  cluster: string;
  socketFolder: string;
  passwordFile: string;
  logFile: string;
  lockFile: string;
  ownerFile: string;
  /** Who gets the files root makes here, when the data folder belongs to an ordinary user. */
  keeper: FileOwner | undefined;
}

const closed = 0o700;
/** Others may pass through to a path they know, and see nothing on the way. */
const passage = 0o711;

export async function openDataFolder(dataDir: string): Promise<DataFolder> {
  const asked = resolve(dataDir);
  try {
    await mkdir(asked, { recursive: true });
    const path = await realpath(asked);
    const { uid, gid } = await stat(path);
    const keeper = process.getuid?.() === 0 && uid !== 0 ? { uid, gid } : undefined;
    const home = join(path, "postgres");
    await mkdir(home, { recursive: true, mode: closed });
    await giveTo(keeper, home);
    await closeFolder(home, passage);
    return { ...layOut(path), keeper };
  } catch (error) {
    throw explainFileError(error, asked);
  }
}

/** The data folder as it is, if a database was ever started in it. */
export async function findDataFolder(dataDir: string): Promise<DataFolder | undefined> {
  try {
    const folder = { ...layOut(await realpath(dataDir)), keeper: undefined };
    return (await stat(folder.home)).isDirectory() ? folder : undefined;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw explainFileError(error, resolve(dataDir));
  }
}

function layOut(path: string): Omit<DataFolder, "keeper"> {
  const home = join(path, "postgres");
  return {
    path,
    home,
    cluster: join(home, "cluster"),
    socketFolder: join(home, "socket"),
    passwordFile: join(home, "password"),
    logFile: join(home, "server.log"),
    lockFile: join(home, "owner.lock"),
    ownerFile: join(home, "owner.pid"),
  };
}

/** Lets the server's own user, if it has one, reach its folders below. */
export async function openPassage(folder: DataFolder): Promise<void> {
  await chmod(folder.home, passage);
}

/** A folder for the server's user alone: made if missing, and given to that user with all that is in it. */
export async function makeServerFolder(path: string, owner: FileOwner | undefined): Promise<void> {
  await mkdir(path, { recursive: true, mode: closed });
  if (owner && (await stat(path)).uid !== owner.uid) await giveTree(owner, path);
  await closeFolder(path, closed);
}

export async function giveTo(owner: FileOwner | undefined, path: string): Promise<void> {
  if (owner && (await lstat(path)).uid !== owner.uid) await chown(path, owner.uid, owner.gid);
}

async function giveTree(owner: FileOwner, path: string): Promise<void> {
  for (const entry of await readdir(path, { withFileTypes: true })) {
    const inner = join(path, entry.name);
    if (entry.isDirectory()) await giveTree(owner, inner);
    else if (!entry.isSymbolicLink()) await chown(inner, owner.uid, owner.gid);
  }
  // The folder itself comes last: its owner tells the next start whether all of it was given.
  await chown(path, owner.uid, owner.gid);
}

/**
 * Takes away every permission beyond `mode`. Restored backups often come back open, and PostgreSQL refuses a cluster
 * that others can read.
 */
async function closeFolder(path: string, mode: number): Promise<void> {
  if (!(await isOpenerThan(path, mode))) return;
  await chmod(path, mode);
  if (await isOpenerThan(path, mode)) {
    throw new DocmillError(
      "DATA_DIR_PERMISSIONS_IGNORED",
      `The file system of ${path} does not keep permissions, and PostgreSQL needs a folder that only its owner can read. Choose a data folder on a local disk (--data-dir), or set DATABASE_URL.`,
    );
  }
}

async function isOpenerThan(path: string, mode: number): Promise<boolean> {
  if (process.platform === "win32") return false;
  return ((await stat(path)).mode & 0o777 & ~mode) !== 0;
}
