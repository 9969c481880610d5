/**
 * Makes the database cluster on the first start. It is made beside its place and moved there when it is complete and on
 * disk, so that a crash at any moment leaves either no cluster or a whole one.
 */
import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmod, open, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { DocmillError } from "../../errors.ts";
import type { Logger } from "../../logger.ts";
import { type DataFolder, giveTo, makeServerFolder } from "./data-folder.ts";
import { explainFileError, explainServerFailure, messageOf } from "./explain-failure.ts";
import type { Binaries } from "./find-binaries.ts";
import { userName } from "./server-address.ts";
import type { ServerUser } from "./server-user.ts";

export interface ClusterOptions {
  folder: DataFolder;
  binaries: Binaries;
  user: ServerUser;
  /** The version of the programs, as in `18.4`. */
  version: string;
  durable: boolean;
  logger: Logger;
}

const run = promisify(execFile);
const unfinished = "making-";

/** Makes sure that there is a cluster this server can run, and gives its password. */
export async function ensureCluster(options: ClusterOptions): Promise<{ password: string }> {
  const { folder } = options;
  try {
    await removeUnfinished(options);
    const made = await readClusterVersion(folder);
    if (made !== undefined) checkClusterVersion(made, options);
    const password = await ensurePassword(folder, made !== undefined);
    if (made === undefined) await makeCluster(options, password);
    return { password };
  } catch (error) {
    throw explainFileError(error, folder.home);
  }
}

/** The password of a cluster that exists. */
export async function readPassword(folder: DataFolder): Promise<string | undefined> {
  const text = await readFile(folder.passwordFile, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw explainFileError(error, folder.home);
    return "";
  });
  return text.trim() || undefined;
}

function majorVersion(version: string): number {
  return Number.parseInt(version, 10);
}

async function makeCluster(options: ClusterOptions, password: string): Promise<void> {
  const { folder, binaries, user, logger } = options;
  logger.info({ folder: folder.cluster, version: options.version }, "making the database");
  const workshop = join(folder.home, unfinished + randomBytes(6).toString("hex"));
  try {
    await makeServerFolder(workshop, user.owner);
    const passwordFile = join(workshop, "password");
    await writeFile(passwordFile, `${password}\n`, { mode: 0o600 });
    await giveTo(user.owner, passwordFile);
    const cluster = join(workshop, "cluster");
    const {
      file,
      args,
      options: spawnAs,
    } = user.command(binaries.initdb, [
      `--pgdata=${cluster}`,
      `--username=${userName}`,
      `--pwfile=${passwordFile}`,
      "--auth=scram-sha-256",
      "--encoding=UTF8",
      ...localeArguments(options.version),
      ...syncArguments(options),
    ]);
    await run(file, args, spawnAs).catch((error: { stdout?: string; stderr?: string }) => {
      const output = `${error.stdout ?? ""}\n${error.stderr ?? messageOf(error)}`;
      throw explainServerFailure("initdb", output, folder.home);
    });
    await rename(cluster, folder.cluster);
    await syncFolder(folder.home);
  } finally {
    await remove(workshop, logger);
  }
}

/**
 * Code point order and Unicode letters, the same on every system. From 17 on PostgreSQL brings this locale itself;
 * before, the system must have it.
 */
function localeArguments(version: string): string[] {
  if (majorVersion(version) < 17) return ["--locale=C.UTF-8", "--lc-messages=C"];
  return ["--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"];
}

/** The new files must be on disk before the cluster takes its place; one syncfs is quicker than a thousand fsyncs. */
function syncArguments({ version, durable }: ClusterOptions): string[] {
  if (!durable) return ["--no-sync"];
  return process.platform === "linux" && majorVersion(version) >= 17 ? ["--sync-method=syncfs"] : [];
}

async function readClusterVersion(folder: DataFolder): Promise<string | undefined> {
  const content = await readdir(folder.cluster).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
    return [] as string[];
  });
  if (content.length === 0) return undefined;
  if (content.includes("PG_VERSION")) return (await readFile(join(folder.cluster, "PG_VERSION"), "utf8")).trim();
  throw new DocmillError(
    "EMBEDDED_CLUSTER_DAMAGED",
    `${folder.cluster} has files in it but is not a PostgreSQL cluster. Restore it from a backup, or move it away to start with an empty database.`,
  );
}

function checkClusterVersion(made: string, { folder, version }: ClusterOptions): void {
  if (majorVersion(made) === majorVersion(version)) return;
  throw new DocmillError(
    "EMBEDDED_VERSION_MISMATCH",
    `The database in ${folder.cluster} was made by PostgreSQL ${made}, and this version of Docmill brings PostgreSQL ${majorVersion(version)}. Start the Docmill that made it and copy the data with pg_dump, or choose another data folder with --data-dir.`,
    { details: { cluster: made, program: version } },
  );
}

/** The password is on disk before the cluster that has it, so that no crash can part them. */
async function ensurePassword(folder: DataFolder, clusterExists: boolean): Promise<string> {
  const known = await readPassword(folder);
  if (known) {
    // A restored file may have come back readable to others.
    await chmod(folder.passwordFile, 0o600);
    return known;
  }
  if (clusterExists) {
    throw new DocmillError(
      "EMBEDDED_PASSWORD_MISSING",
      `${folder.passwordFile}, the password of the database beside it, is missing. Restore that file from the backup the folder came from.`,
    );
  }
  const password = randomBytes(24).toString("base64url");
  const draft = join(folder.home, `${unfinished}password`);
  await rm(draft, { force: true });
  const file = await open(draft, "wx", 0o600);
  try {
    await file.writeFile(`${password}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await giveTo(folder.keeper, draft);
  await rename(draft, folder.passwordFile);
  await syncFolder(dirname(folder.passwordFile));
  return password;
}

async function removeUnfinished({ folder, logger }: ClusterOptions): Promise<void> {
  for (const name of await readdir(folder.home)) {
    if (name.startsWith(unfinished)) await remove(join(folder.home, name), logger);
  }
}

/** What cannot be removed now, say because an abandoned initdb still writes there, is removed by a later start. */
async function remove(path: string, logger: Logger): Promise<void> {
  await rm(path, { recursive: true, force: true, maxRetries: 3 }).catch((err: unknown) =>
    logger.warn({ err, path }, "unfinished database files stay for now"),
  );
}

async function syncFolder(path: string): Promise<void> {
  if (process.platform === "win32") return;
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
