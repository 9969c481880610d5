/**
 * The ways to bring a Docmill from one place to another: its own backup, PostgreSQL's tools with a copy of the files, and
 * a copy of a stopped data folder.
 */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, mkdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { inject, onTestFinished } from "vitest";
import { runDocmill } from "./docmill-process.ts";
import { createTestDatabase, type TestDatabaseOptions } from "./test-database.ts";

const run = promisify(execFile);

export interface BackupWay {
  name: string;
  /** Whether the programs for it are on this machine. */
  possible: boolean;
  /** Whether the server may go on meanwhile; otherwise it is stopped before. */
  whileRunning: boolean;
  /** Settings of the first place: a data folder, which is made by whoever starts there. */
  begin(place: string): Promise<Record<string, string>>;
  /** Takes the backup of a place that was begun with `env`. */
  take(env: Record<string, string>, backup: string): Promise<void>;
  /** Brings it back at a new place; answers the settings of a server there. */
  restore(backup: string, place: string): Promise<Record<string, string>>;
}

export const ownBackup: BackupWay = {
  name: "docmill backup, on the embedded database",
  possible: true,
  whileRunning: true,
  begin: async (place) => ({ DOCMILL_DATA_DIR: place }),
  take: (env, backup) => succeed(["backup", backup], env),
  async restore(backup, place) {
    const env = { DOCMILL_DATA_DIR: place };
    await succeed(["restore", backup], env);
    return env;
  },
};

export const coldCopy: BackupWay = {
  name: "a copy of the stopped data folder",
  possible: true,
  whileRunning: false,
  begin: async (place) => ({ DOCMILL_DATA_DIR: place }),
  take: (env, backup) => cp(env.DOCMILL_DATA_DIR as string, backup, { recursive: true }),
  async restore(backup, place) {
    await cp(backup, place, { recursive: true });
    return { DOCMILL_DATA_DIR: place };
  },
};

/** Of the version that the oldest test server has, which is the system's. */
const systemServer = inject("postgresServers")["15"];
const programs = `/usr/lib/postgresql/${systemServer?.version.split(".")[0]}/bin`;

export const postgresTools: BackupWay = {
  name: "pg_dump, then a copy of the files",
  possible: systemServer !== undefined && existsSync(join(programs, "pg_dump")),
  whileRunning: true,
  async begin(place) {
    return { DATABASE_URL: await createSystemDatabase(), DOCMILL_DATA_DIR: place };
  },
  async take(env, backup) {
    await mkdir(backup);
    await run(join(programs, "pg_dump"), [
      "--format=custom",
      `--file=${join(backup, "dump")}`,
      env.DATABASE_URL as string,
    ]);
    // What is still coming in is in no row, and goes elsewhere under the copy's hands.
    const filter = (path: string) => basename(path) !== ".incoming";
    await cp(join(env.DOCMILL_DATA_DIR as string, "files"), join(backup, "files"), { recursive: true, filter });
  },
  async restore(backup, place) {
    const url = await createSystemDatabase({ empty: true });
    await run(join(programs, "pg_restore"), ["--exit-on-error", "--no-owner", `--dbname=${url}`, join(backup, "dump")]);
    await cp(join(backup, "files"), join(place, "files"), { recursive: true });
    return { DATABASE_URL: url, DOCMILL_DATA_DIR: place };
  },
};

/** On the system's server, until the test is over. */
async function createSystemDatabase(options: TestDatabaseOptions = {}): Promise<string> {
  const { url, drop } = await createTestDatabase({ server: "15", ...options });
  onTestFinished(drop);
  return url;
}

async function succeed(args: readonly string[], env: Record<string, string>): Promise<void> {
  const { code, stderr } = await runDocmill(args, { env });
  if (code !== 0) throw new Error(`docmill ${args.join(" ")} failed: ${stderr}`);
}
