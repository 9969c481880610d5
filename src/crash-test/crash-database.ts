/**
 * A database of the crash test's own: on a server it starts for itself in a folder, or a new one on the server it is
 * given. It never touches a table that was there before.
 */
import { randomBytes } from "node:crypto";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import pg from "pg";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "../db/embedded/start-embedded-postgres.ts";
import { migrate } from "../db/migrate.ts";
import { DocmillError } from "../errors.ts";
import type { Logger } from "../logger.ts";

export interface CrashDatabase {
  url: string;
  /** The server, if it is ours to kill. */
  server: EmbeddedPostgres | undefined;
  /** Logs of the workers go here. */
  folder: string;
  /** Where the evidence is when it is kept. */
  place: string;
  /** Removes everything, or stops the server and leaves the rest for a look. */
  close(keep: boolean): Promise<void>;
}

export interface CrashDatabaseOptions {
  databaseUrl?: string;
  dataDir?: string;
  logger: Logger;
  /** Gives up starting. */
  stop?: AbortSignal;
}

export async function openCrashDatabase({
  databaseUrl,
  dataDir,
  logger,
  stop,
}: CrashDatabaseOptions): Promise<CrashDatabase> {
  const folder =
    dataDir === undefined ? await mkdtemp(join(tmpdir(), "docmill-crash-test-")) : await newFolder(dataDir);
  let database: CrashDatabase | undefined;
  try {
    database =
      databaseUrl === undefined ? await startOwnServer(folder, logger, stop) : await createOn(databaseUrl, folder);
    await migrate({ url: database.url, logger });
    stop?.throwIfAborted();
    return database;
  } catch (error) {
    await (database ? database.close(false) : removeFolder(folder));
    throw error;
  }
}

/** A folder inside the data folder that no earlier run has used: a run starts from nothing. */
async function newFolder(dataDir: string): Promise<string> {
  await mkdir(dataDir, { recursive: true });
  return mkdtemp(join(resolve(dataDir), "crash-test-"));
}

function removeFolder(folder: string): Promise<void> {
  return rm(folder, { recursive: true, force: true, maxRetries: 3 });
}

async function startOwnServer(folder: string, logger: Logger, signal?: AbortSignal): Promise<CrashDatabase> {
  const server = await startEmbeddedPostgres({ dataDir: folder, logger, signal });
  return {
    url: server.url,
    server,
    folder,
    place: folder,
    async close(keep) {
      await server.stop();
      if (!keep) await removeFolder(folder);
    },
  };
}

async function createOn(databaseUrl: string, folder: string): Promise<CrashDatabase> {
  const name = `docmill_crash_test_${randomBytes(4).toString("hex")}`;
  await runOn(databaseUrl, `create database ${name}`);
  const url = new URL(databaseUrl);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    server: undefined,
    folder,
    place: `database ${name}, logs in ${folder}`,
    async close(keep) {
      if (keep) return;
      await runOn(databaseUrl, `drop database ${name} with (force)`);
      await removeFolder(folder);
    },
  };
}

async function runOn(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, application_name: "docmill crash-test" });
  client.on("error", () => undefined);
  try {
    await client.connect();
    await client.query(statement);
  } catch (cause) {
    throw new DocmillError(
      "CRASH_TEST_DATABASE",
      `The crash test needs a database of its own and "${statement}" failed: ${(cause as Error).message}. Give it a role that may create databases, or leave --database-url out.`,
      { cause },
    );
  } finally {
    await client.end().catch(() => undefined);
  }
}
