/**
 * Decides as whom PostgreSQL runs. It refuses root, so root runs it in a user namespace, where root's own folders stay
 * readable, or as an unprivileged user. Each way is tried out before it is chosen: a way that cannot start the program
 * or reach the data folder is passed over, and if none works the error says what stood in the way of each.
 */
import { execFile } from "node:child_process";
import { readFile, stat } from "node:fs/promises";
import { userInfo } from "node:os";
import { dirname } from "node:path";
import { promisify } from "node:util";
import { DocmillError } from "../../errors.ts";
import { type DataFolder, type FileOwner, openPassage } from "./data-folder.ts";
import { explainServerFailure, messageOf } from "./explain-failure.ts";
import type { Binaries } from "./find-binaries.ts";

export interface ServerUser {
  how: "directly" | "user namespace" | "other user";
  /** Who must own what the server writes to; undefined when that is whoever we are. */
  owner: FileOwner | undefined;
  /** The command, and the options for spawning it, that run a program as this user. */
  command(file: string, args: readonly string[]): { file: string; args: string[]; options: SpawnAs };
}

interface SpawnAs {
  uid?: number;
  gid?: number;
  cwd: string;
  env?: NodeJS.ProcessEnv;
}

export interface ServerUserOptions {
  folder: DataFolder;
  binaries: Binaries;
  /** The program that makes user namespaces. */
  unshare?: string;
}

const run = promisify(execFile);
const root: FileOwner = { uid: 0, gid: 0 };

/** The user to run the server as, and the version of the server. */
export async function chooseServerUser(options: ServerUserOptions): Promise<{ user: ServerUser; version: string }> {
  const version = await readVersion(options);
  const isRoot = process.getuid?.() === 0;
  // initdb asks for the name of its user; in a container there may be none for ours.
  if (!isRoot && hasName()) return { user: ourselves, version };

  const nobody = await findNobody();
  const inNamespace = inUserNamespace(options.unshare ?? "unshare", nobody, isRoot ? root : undefined);
  const ways = isRoot ? [inNamespace, asOtherUser(nobody)] : [inNamespace];
  // What belongs to an ordinary user stays theirs: they may start Docmill without root next time.
  if (options.folder.keeper) ways.unshift(asOtherUser(options.folder.keeper));
  const obstacles: string[] = [];
  for (const user of ways) {
    try {
      await tryUser(user, options);
      return { user, version };
    } catch (error) {
      obstacles.push(`${nameOf(user)}: ${await findObstacle(user, options, error)}`);
    }
  }
  throw isRoot ? rootRefused(obstacles) : userUnnamed(obstacles);
}

function rootRefused(obstacles: string[]): DocmillError {
  return new DocmillError(
    "EMBEDDED_ROOT_REFUSED",
    `PostgreSQL does not run as root, and no other way worked here (${obstacles.join("; ")}). Start Docmill as an ordinary user, move the data folder to where others may pass (--data-dir), or set DATABASE_URL.`,
  );
}

function userUnnamed(obstacles: string[]): DocmillError {
  return new DocmillError(
    "EMBEDDED_USER_UNNAMED",
    `PostgreSQL needs a user that has a name, and user id ${process.getuid?.()} has none in /etc/passwd (${obstacles.join("; ")}). Add a line for it there, start Docmill as another user, or set DATABASE_URL.`,
  );
}

const ourselves: ServerUser = {
  how: "directly",
  owner: undefined,
  command: (file, args) => ({ file, args: [...args], options: { ...surroundings } }),
};

/** Outside the namespace the server is still who we are, and owns what it makes as such. */
function inUserNamespace(unshare: string, inside: FileOwner, owner: FileOwner | undefined): ServerUser {
  return {
    how: "user namespace",
    owner,
    command: (file, args) => ({
      file: unshare,
      args: ["--user", `--map-user=${inside.uid}`, `--map-group=${inside.gid}`, "--", file, ...args],
      options: { ...surroundings },
    }),
  };
}

function asOtherUser(owner: FileOwner): ServerUser {
  return {
    how: "other user",
    owner,
    command: (file, args) => ({ file, args: [...args], options: { ...surroundings, ...owner } }),
  };
}

/**
 * PostgreSQL reads PG…, LC_… and TZ from the environment, and its messages must stay in English for us to read; so it
 * gets none of ours. The root folder is one that every user may be in.
 */
const surroundings: SpawnAs =
  process.platform === "win32"
    ? { cwd: "/" }
    : {
        cwd: "/",
        env: { LC_ALL: "C", TZ: "UTC", PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin" },
      };

/** Even root may ask for the version, which also shows whether the program runs here at all. */
async function readVersion({ binaries, folder }: ServerUserOptions): Promise<string> {
  const { file, args, options } = ourselves.command(binaries.postgres, ["--version"]);
  const { stdout } = await run(file, args, options).catch((error: unknown) => {
    throw explainServerFailure("postgres", outputOf(error), folder.home);
  });
  const version = /\(PostgreSQL\) (\S+)/.exec(stdout)?.[1];
  if (!version) throw explainServerFailure("postgres", `unexpected version: ${stdout}`, folder.home);
  return version;
}

/** Fails unless that user may pass through the data folder, has a name, and can run the program. */
async function tryUser(user: ServerUser, { binaries, folder }: ServerUserOptions): Promise<void> {
  if (user.owner && (await stat(folder.home)).uid !== user.owner.uid) await openPassage(folder);
  const script = 'test -x "$1" && id -un && exec "$2" --version';
  const { file, args, options } = user.command("/bin/sh", ["-c", script, "sh", folder.home, binaries.postgres]);
  await run(file, args, options);
}

function hasName(): boolean {
  try {
    return userInfo().username !== "";
  } catch {
    return false;
  }
}

/** Why this user could not do it: most often a folder on the way that only root may enter. */
async function findObstacle(user: ServerUser, options: ServerUserOptions, error: unknown): Promise<string> {
  if (user.how === "other user" && user.owner) {
    for (const path of [options.folder.home, dirname(options.binaries.postgres)]) {
      const barred = await findBarredFolder(path, user.owner);
      if (barred) return `${barred} is closed to it`;
    }
  }
  return outputOf(error).trim().split("\n").at(-1) ?? "";
}

/** The first folder on the way to `path`, from the top, that the user may not pass through. */
async function findBarredFolder(path: string, { uid, gid }: FileOwner): Promise<string | undefined> {
  const parent = dirname(path);
  const above = parent === path ? undefined : await findBarredFolder(parent, { uid, gid });
  if (above) return above;
  const folder = await stat(path);
  const needed = folder.uid === uid ? 0o100 : folder.gid === gid ? 0o010 : 0o001;
  return folder.mode & needed ? undefined : path;
}

async function findNobody(): Promise<FileOwner> {
  const users = await readFile("/etc/passwd", "utf8").catch(() => "");
  const entry = /^nobody:[^:]*:(-?\d+):(-?\d+):/m.exec(users);
  // Some systems write the highest numbers as negative ones.
  return { uid: Number(entry?.[1] ?? 65534) >>> 0, gid: Number(entry?.[2] ?? 65534) >>> 0 };
}

function nameOf(user: ServerUser): string {
  return user.how === "user namespace" ? "in a user namespace" : `as the user with id ${user.owner?.uid}`;
}

function outputOf(error: unknown): string {
  const { stderr, code } = error as { stderr?: unknown; code?: unknown };
  if (typeof stderr === "string" && stderr.trim() !== "") return stderr;
  return typeof code === "number" ? `it ended with code ${code}` : messageOf(error);
}
